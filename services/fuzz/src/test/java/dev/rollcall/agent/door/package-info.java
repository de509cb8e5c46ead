/** What fuzzing asks of the door's frames. */
@NullMarked
package dev.rollcall.agent.door;

import org.jspecify.annotations.NullMarked;
