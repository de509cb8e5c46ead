package dev.rollcall.agent.event;

import dev.rollcall.model.NodeName;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Announcements were lost on their way.
 *
 * @param node whose; absent: of every node, since this node's own stream was cut
 * @param uid of whose calls this is said; absent: of everybody's
 */
public record SourceLost(Optional<NodeName> node, OptionalInt uid) {
  /** Everything that this node was told. */
  public static final SourceLost ALL = new SourceLost(Optional.empty(), OptionalInt.empty());
}
