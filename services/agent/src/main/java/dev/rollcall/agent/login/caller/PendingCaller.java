package dev.rollcall.agent.login.caller;

import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import java.time.Duration;

/**
 * A caller whose login is expected.
 *
 * @param connection as the caller's end sees it
 * @param keep how long from now
 */
public record PendingCaller(Connection connection, Caller caller, Duration keep) {}
