package dev.rollcall.wire.memory;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Counts each peer's bytes in this process's memory, and refuses more than the peer's share or the
 * part of its kind. A peer is any value with {@code equals}: a user's uid, a certificate's name, an
 * address. Thread-safe; takes a lock for some 100 ns.
 */
public final class MemoryBudget {
  /**
   * The bounds of a kind of peers, in bytes.
   *
   * @param ofAPeer that one of them may hold
   * @param ofAll that all of this kind and of the kinds before it may hold together: what later
   *     kinds may have beyond that nobody else can use
   * @param leavesRoom whether one may also hold no more than stays free for others: so however many
   *     there are, none finds everything taken
   */
  public record Bound(long ofAPeer, long ofAll, boolean leavesRoom) {
    public Bound(long ofAPeer, long ofAll) {
      this(ofAPeer, ofAll, false);
    }

    public Bound {
      if (ofAPeer <= 0 || ofAPeer > ofAll) {
        throw new IllegalArgumentException(
            "a peer's " + ofAPeer + " bytes are not within all peers' " + ofAll);
      }
    }
  }

  private final Map<PeerKind, Bound> bounds;
  private final Map<Object, Long> held = new HashMap<>();
  private final Map<PeerKind, Long> heldByKind = new EnumMap<>(PeerKind.class);
  private final PeerConnections connections;
  private final Function<MemoryUse, Counter> refused;
  private final Counter unread;

  /** The same bounds for all kinds. */
  public MemoryBudget(long ofAPeer, long ofAll, MeterRegistry registry) {
    this(_ -> new Bound(ofAPeer, ofAll), registry);
  }

  /**
   * @param registry gets {@code rollcall.peer.memory.held.bytes} (bytes), {@code
   *     rollcall.peer.memory.refused} by use, and {@code rollcall.peer.unread.ended}
   */
  public MemoryBudget(Function<PeerKind, Bound> bounds, MeterRegistry registry) {
    this.bounds = new EnumMap<>(PeerKind.class);
    for (PeerKind kind : PeerKind.values()) {
      this.bounds.put(kind, bounds.apply(kind));
    }
    connections = new PeerConnections().countedIn(registry);
    refused = use -> registry.counter("rollcall.peer.memory.refused", "use", use.word());
    for (MemoryUse use : MemoryUse.values()) {
      var _ = refused.apply(use); // so that each is there with 0
    }
    unread = registry.counter("rollcall.peer.unread.ended");
    Gauge.builder("rollcall.peer.memory.held.bytes", this, MemoryBudget::held)
        .strongReference(true)
        .register(registry);
  }

  private Bound bound(PeerKind kind) {
    return requireNonNull(bounds.get(kind));
  }

  /** Adds to what the peer holds. False, and nothing is added, if that exceeds a bound. */
  public synchronized boolean take(Object peer, MemoryUse use, long bytes) {
    long now = held.getOrDefault(peer, 0L);
    PeerKind kind = PeerAccount.kind(peer);
    Bound bound = bound(kind);
    long free = bound.ofAll() - heldUpTo(kind) - bytes;
    boolean fits = now + bytes <= bound.ofAPeer() && (bound.leavesRoom() ? now + bytes : 0) <= free;
    if (!fits && !FirstLine.isOff()) {
      refused.apply(use).increment();
      return false;
    }
    held.put(peer, now + bytes);
    heldByKind.merge(kind, bytes, Long::sum);
    return true;
  }

  private long heldUpTo(PeerKind most) {
    long sum = 0;
    for (Map.Entry<PeerKind, Long> each : heldByKind.entrySet()) {
      sum += each.getKey().compareTo(most) <= 0 ? each.getValue() : 0;
    }
    return sum;
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
    heldByKind.merge(PeerAccount.kind(peer), -bytes, Long::sum);
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
    return heldUpTo(PeerKind.PROTECTED);
  }

  /** An answer was not read in time, and its stream or connection was ended. */
  public void countUnread() {
    unread.increment();
  }

  /** Bytes that a node or an administrator may hold. */
  public long mostOfAPeer() {
    return bound(PeerKind.PROTECTED).ofAPeer();
  }
}
