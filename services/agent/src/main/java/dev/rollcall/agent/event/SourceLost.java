package dev.rollcall.agent.event;

import dev.rollcall.model.NodeName;
import java.util.Optional;

/**
 * Announcements were lost on their way.
 *
 * @param node whose; absent: of every node, since this node's own stream was cut
 */
public record SourceLost(Optional<NodeName> node) {
  /** Everything that this node was told. */
  public static final SourceLost ALL = new SourceLost(Optional.empty());
}
