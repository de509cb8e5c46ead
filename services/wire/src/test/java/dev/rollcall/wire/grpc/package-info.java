/** What both sides of a call may rely on, over every transport. */
@NullMarked
package dev.rollcall.wire.grpc;

import org.jspecify.annotations.NullMarked;
