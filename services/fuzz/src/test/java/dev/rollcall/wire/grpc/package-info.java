/** How fuzzing asks services, and hears of what they do not answer; frames that may be wrong. */
@NullMarked
package dev.rollcall.wire.grpc;

import org.jspecify.annotations.NullMarked;
