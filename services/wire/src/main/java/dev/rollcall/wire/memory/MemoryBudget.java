package dev.rollcall.wire.memory;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Counts each peer's bytes in this process's memory, and refuses more than the peer's share or the
 * total. A peer is any value with {@code equals}: a user's uid, a certificate's name, an address.
 * Thread-safe; takes a lock for some 100 ns.
 */
public final class MemoryBudget {
  private final long mostOfAPeer;
  private final long mostOfAll;
  private final Optional<Object> reserved;
  private final Map<Object, Long> held = new HashMap<>();
  private final PeerConnections connections;
  private final Function<MemoryUse, Counter> refused;
  private long total;

  /**
   * @param mostOfAPeer bytes that one peer may hold
   * @param mostOfAll bytes that all peers may hold together
   * @param registry gets {@code rollcall.peer.memory.held} (bytes) and {@code
   *     rollcall.peer.memory.refused} by use
   */
  public MemoryBudget(long mostOfAPeer, long mostOfAll, MeterRegistry registry) {
    this(mostOfAPeer, mostOfAll, Optional.empty(), registry);
  }

  /**
   * @param reserved a peer that has as much as all others together, and that of its own: it is
   *     served when they have filled theirs
   */
  public MemoryBudget(
      long mostOfAPeer, long mostOfAll, Optional<Object> reserved, MeterRegistry registry) {
    if (mostOfAPeer <= 0 || mostOfAPeer > mostOfAll) {
      throw new IllegalArgumentException(
          "a peer's " + mostOfAPeer + " bytes are not within all peers' " + mostOfAll);
    }
    this.mostOfAPeer = mostOfAPeer;
    this.mostOfAll = mostOfAll;
    this.reserved = reserved;
    connections = new PeerConnections(registry);
    refused = use -> registry.counter("rollcall.peer.memory.refused", "use", use.word());
    for (MemoryUse use : MemoryUse.values()) {
      var _ = refused.apply(use); // so that each is there with 0
    }
    Gauge.builder("rollcall.peer.memory.held", this, MemoryBudget::held)
        .strongReference(true)
        .register(registry);
  }

  /** Adds to what the peer holds. False, and nothing is added, if that exceeds a bound. */
  public synchronized boolean take(Object peer, MemoryUse use, long bytes) {
    long now = held.getOrDefault(peer, 0L);
    boolean apart = isReserved(peer);
    boolean fits =
        now + bytes <= (apart ? mostOfAll : mostOfAPeer) && (apart || total + bytes <= mostOfAll);
    if (!fits && !FirstLine.isOff()) {
      refused.apply(use).increment();
      return false;
    }
    held.put(peer, now + bytes);
    if (!apart) {
      total += bytes;
    }
    return true;
  }

  private boolean isReserved(Object peer) {
    return reserved.isPresent() && reserved.get().equals(peer);
  }

  /** Gives back bytes that {@link #take} added. */
  public synchronized void release(Object peer, long bytes) {
    long now = held.getOrDefault(peer, 0L);
    if (bytes > now) {
      throw new IllegalStateException(
          peer + " holds " + now + " bytes and cannot release " + bytes);
    }
    if (bytes == now) {
      held.remove(peer);
    } else {
      held.put(peer, now - bytes);
    }
    if (!isReserved(peer)) {
      total -= bytes;
    }
  }

  /** The open connections of the peers. */
  public PeerConnections connections() {
    return connections;
  }

  /** Bytes that one peer holds. */
  synchronized long heldBy(Object peer) {
    return held.getOrDefault(peer, 0L);
  }

  /** Bytes that all peers hold. */
  public synchronized long held() {
    return total + reserved.map(peer -> held.getOrDefault(peer, 0L)).orElse(0L);
  }

  /** Bytes that one peer may hold. */
  public long mostOfAPeer() {
    return mostOfAPeer;
  }
}
