package dev.rollcall.agent.event;

import dev.rollcall.model.Connection;
import dev.rollcall.wire.trace.Span;
import java.time.Duration;

/**
 * A query of the roll.
 *
 * @param connection as the caller's end sees it
 * @param mostAge a call that was reported longer ago is an earlier one with the same ends
 * @param patience after which the answer is Unreachable
 * @param span of whom it is a part
 */
public record RollQuestion(Connection connection, Duration mostAge, Duration patience, Span span) {
  /** Where the age of the connection is not known: longer than any call is kept. */
  public static final Duration ANY_AGE = Duration.ofDays(1);
}
