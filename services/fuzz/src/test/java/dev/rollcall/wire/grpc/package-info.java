/** How fuzzing asks services, and hears of what they do not answer. */
@NullMarked
package dev.rollcall.wire.grpc;

import org.jspecify.annotations.NullMarked;
