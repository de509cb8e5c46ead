/** What fuzzing asks of messages. */
@NullMarked
package dev.rollcall.wire;

import org.jspecify.annotations.NullMarked;
