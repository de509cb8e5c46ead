package dev.rollcall.agent.event;

import dev.rollcall.model.Connection;
import dev.rollcall.model.NodeName;

/**
 * A call was made with the ends of one that this node may have been told of, and its caller was not
 * told.
 *
 * @param node the source
 * @param connection as the caller's end sees it
 * @param sequence in the same count as {@link AnnouncedCall#sequence}
 * @param epoch of the source
 */
public record WithdrawnCall(NodeName node, Connection connection, long sequence, long epoch) {}
