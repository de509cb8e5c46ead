package dev.rollcall.agent.event;

import dev.rollcall.model.NodeName;
import java.util.Optional;

/**
 * Pushed callers were lost before they reached this node.
 *
 * @param node whose; absent: of every node, since this node's own stream was cut
 */
public record SourceLost(Optional<NodeName> node) {
  /** Everything that this node was told. */
  public static final SourceLost ALL = new SourceLost(Optional.empty());
}
