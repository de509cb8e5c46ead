package dev.rollcall.agent.event;

import dev.rollcall.model.Connection;
import dev.rollcall.model.NodeName;

/**
 * Withdraws a pushed caller, because a new call with the same ends has an unknown caller.
 *
 * @param node the source
 * @param connection as the caller's end sees it
 * @param sequence in the same count as {@link AnnouncedCall#sequence}
 * @param epoch of the source
 */
public record WithdrawnCall(NodeName node, Connection connection, long sequence, long epoch) {}
