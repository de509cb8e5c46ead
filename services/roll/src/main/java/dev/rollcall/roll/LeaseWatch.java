package dev.rollcall.roll;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Since when this member has heard nothing of a node, by this member's own monotonic clock. A wall
 * clock that is stepped, here or on the member whose time is the grid's, neither ends a lease nor
 * prolongs it. A member that has just started gives every node a whole lease.
 */
final class LeaseWatch {
  /**
   * @param revision of the node's entry, which grows with each heartbeat
   */
  private record Heard(long revision, long nanos) {}

  private final Map<String, Heard> nodes = new ConcurrentHashMap<>();
  private final LongSupplier nanoClock;

  LeaseWatch(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** This is the latest of a node that is known here. */
  void told(NodeValue node) {
    nodes.compute(
        node.node(),
        (_, before) ->
            before != null && before.revision == node.revision()
                ? before
                : new Heard(node.revision(), nanoClock.getAsLong()));
  }

  void forgotten(String node) {
    nodes.remove(node);
  }

  /** Whether the node is not lost yet, and has said nothing for the length of its lease. */
  boolean isOver(NodeValue node) {
    Heard heard = nodes.get(node.node());
    return heard != null
        && !node.lease().lost()
        && heard.revision == node.revision()
        && nanoClock.getAsLong() - heard.nanos >= node.lease().lengthNanos();
  }
}
