package dev.rollcall.gateway.node;

import dev.rollcall.model.NodeName;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Bounds the calls of each node that the roll keeps for this gateway: 16,384, which take 4.5 MiB of
 * each of two members at some 280 bytes each. A call counts for as long as the roll keeps it, also
 * after the node's stream has ended. Thread-safe.
 */
final class CallsKept {
  static final int MOST_OF_A_NODE = 16_384;

  /** A call counts for an eighth of the time longer than it is kept, at most. */
  private static final int PARTS = 8;

  private static final class Count {
    private final int[] parts = new int[PARTS + 1];
    private long last;
    private int all;

    synchronized boolean add(long part, int most) {
      forget(part);
      if (all >= most) {
        return false;
      }
      all++;
      parts[at(part)]++;
      return true;
    }

    synchronized boolean isEmpty(long part) {
      forget(part);
      return all == 0;
    }

    /** The parts that have passed since. */
    private void forget(long part) {
      for (long next = Math.max(last + 1, part - PARTS); next <= part; next++) {
        all -= parts[at(next)];
        parts[at(next)] = 0;
      }
      last = Math.max(last, part);
    }

    private int at(long part) {
      return Math.floorMod(part, PARTS + 1);
    }
  }

  private final int most;
  private final long partNanos;
  private final LongSupplier nanoClock;
  private final long begun;
  private final Map<NodeName, Count> nodes = new ConcurrentHashMap<>();

  /**
   * @param most calls of a node
   * @param keep how long the roll keeps a call
   */
  CallsKept(int most, Duration keep, LongSupplier nanoClock) {
    this.most = most;
    this.partNanos = Math.max(1, keep.toNanos() / PARTS);
    this.nanoClock = nanoClock;
    this.begun = nanoClock.getAsLong();
  }

  /** Counts one more call of this node; false if the roll keeps the most of it already. */
  boolean add(NodeName node) {
    return nodes.computeIfAbsent(node, _ -> new Count()).add(part(), most);
  }

  /** Forgets nodes without calls. */
  void tick() {
    long part = part();
    nodes
        .keySet()
        .forEach(
            node -> nodes.computeIfPresent(node, (_, count) -> count.isEmpty(part) ? null : count));
  }

  private long part() {
    return (nanoClock.getAsLong() - begun) / partNanos;
  }
}
