package dev.rollcall.agent.event;

import dev.rollcall.model.Connection;
import dev.rollcall.wire.trace.Span;
import java.time.Duration;

/**
 * A query of the roll.
 *
 * @param connection as the caller's end sees it
 * @param patience after which the answer is Unreachable
 * @param span of whom it is a part
 */
public record RollQuestion(Connection connection, Duration patience, Span span) {}
