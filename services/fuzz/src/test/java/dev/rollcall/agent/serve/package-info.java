/** What fuzzing asks of the agent's public services. */
@NullMarked
package dev.rollcall.agent.serve;

import org.jspecify.annotations.NullMarked;
