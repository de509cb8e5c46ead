package dev.rollcall.agent.event;

import dev.rollcall.model.Connection;
import java.time.Duration;

/**
 * A query of the roll.
 *
 * @param connection as the caller's end sees it
 * @param mostAge a call that was reported longer ago is an earlier one with the same ends
 * @param patience after which the answer is Unreachable
 */
public record RollQuestion(Connection connection, Duration mostAge, Duration patience) {
  /** Where the age of the connection is not known: longer than any call is kept. */
  public static final Duration ANY_AGE = Duration.ofDays(1);
}
