package dev.rollcall.gateway.stream;

import java.time.Duration;
import java.util.BitSet;
import java.util.function.LongSupplier;

/**
 * Remembers which nodes pushed callers to one node, for 15 minutes at least: the node keeps a
 * pushed caller for minutes, of sshd's LoginGraceTime. One bit for the hash of a name, so that some
 * answers are a needless yes, and never a wrong no. Thread-safe.
 */
public final class PushingNodes {
  static final Duration KEEP = Duration.ofMinutes(15);

  /** 512 bytes. With 40 pushing nodes 1 % of the answers for other nodes are false positives. */
  private static final int BITS = 4_096;

  private static final int SHIFT = Integer.numberOfLeadingZeros(BITS) + 1;

  /** Spreads the hashes of numbered names, by the golden ratio. */
  private static final int SPREAD = 0x9E3779B9;

  private final LongSupplier nanoClock;
  private BitSet recent = new BitSet();
  private BitSet earlier = new BitSet();
  private long since;

  PushingNodes(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.since = nanoClock.getAsLong();
  }

  synchronized void add(String node) {
    forget();
    recent.set(bit(node));
  }

  /** Whether the node may have pushed a caller. */
  public synchronized boolean mayHave(String node) {
    forget();
    return recent.get(bit(node)) || earlier.get(bit(node));
  }

  private void forget() {
    long now = nanoClock.getAsLong();
    if (now - since >= KEEP.toNanos()) {
      earlier = recent;
      recent = new BitSet();
      since = now;
    }
  }

  private static int bit(String node) {
    return (node.hashCode() * SPREAD) >>> SHIFT;
  }
}
