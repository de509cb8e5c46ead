/** What fuzzing asks of the door's frames. */
@NullMarked
package dev.rollcall.agent.login;

import org.jspecify.annotations.NullMarked;
