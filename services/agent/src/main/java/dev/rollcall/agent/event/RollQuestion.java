package dev.rollcall.agent.event;

import dev.rollcall.model.Connection;
import java.time.Duration;

/**
 * A question to the roll.
 *
 * @param connection as the caller's end sees it
 * @param patience after which the answer is Unreachable
 */
public record RollQuestion(Connection connection, Duration patience) {}
