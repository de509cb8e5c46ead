package dev.rollcall.wire.memory;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Knows the open connections of all peers of this process, and which kinds of peers are refused
 * while its memory is short. Servers add each connection, report when bytes of one come, and ask
 * before they accept a connection or a call. Thread-safe.
 */
public final class PeerConnections {
  private final Set<PeerConnection> open = ConcurrentHashMap.newKeySet();
  private final Map<PeerKind, LongAdder> refused = new EnumMap<>(PeerKind.class);
  private final Map<PeerKind, LongAdder> closed = new EnumMap<>(PeerKind.class);
  private volatile Refusals refusals = new Refusals(Optional.empty(), "");
  private volatile Runnable whenActive = () -> {};

  /**
   * @param most the last kind that is refused; absent: none is
   */
  private record Refusals(Optional<PeerKind> most, String why) {
    boolean are(PeerKind kind) {
      return most.filter(last -> kind.compareTo(last) <= 0).isPresent();
    }
  }

  public PeerConnections() {
    for (PeerKind kind : PeerKind.values()) {
      if (kind != PeerKind.PROTECTED) {
        refused.put(kind, new LongAdder());
        closed.put(kind, new LongAdder());
      }
    }
  }

  /**
   * Counts for readers of metrics. Programs without metrics do not call this.
   *
   * @param registry gets {@code rollcall.memory.shortage}: connections and calls that were refused,
   *     and connections that were closed, by the kind of their peers
   */
  PeerConnections countedIn(MeterRegistry registry) {
    refused.forEach((kind, count) -> register(registry, kind, "refused", count));
    closed.forEach((kind, count) -> register(registry, kind, "closed", count));
    return this;
  }

  private static void register(
      MeterRegistry registry, PeerKind kind, String action, LongAdder count) {
    FunctionCounter.builder("rollcall.memory.shortage", count, LongAdder::sum)
        .tags("kind", kind.word(), "action", action)
        .register(registry);
  }

  /**
   * Adds a connection.
   *
   * @return removes it; to be run when it is closed
   */
  public Runnable opened(PeerConnection connection) {
    open.add(connection);
    return () -> open.remove(connection);
  }

  /** Bytes of a connection have come: memory is measured. Takes some 100 ns. */
  public void active() {
    whenActive.run();
  }

  /**
   * Returns why a peer of this kind may open no connection and begin no call now, and counts that;
   * empty if it may. The text is for the client, with RESOURCE_EXHAUSTED or 503.
   */
  public Optional<String> objection(PeerKind kind) {
    Refusals now = refusals;
    if (!now.are(kind)) {
      return Optional.empty();
    }
    requireNonNull(refused.get(kind)).increment();
    return Optional.of(now.why);
  }

  /** The same without an attempt to count. */
  public boolean refuses(PeerKind kind) {
    return refusals.are(kind);
  }

  Collection<PeerConnection> open() {
    return Set.copyOf(open);
  }

  /**
   * @param run when bytes come; on the event loop of their connection
   */
  void whenActive(Runnable run) {
    whenActive = run;
  }

  /** Refuses peers up to this kind from now on, which is not {@link PeerKind#PROTECTED}. */
  public void refuse(PeerKind most, String why) {
    refusals = new Refusals(Optional.of(most), why);
  }

  /** Refuses nobody from now on. */
  public void admitAll() {
    refusals = new Refusals(Optional.empty(), "");
  }

  /** Closes a connection for want of memory, and counts it. */
  void close(PeerConnection connection) {
    LongAdder count =
        closed.get(connection.kind()); // none, if it has proved to be a node meanwhile
    if (count != null && open.remove(connection)) {
      count.increment();
      connection.close();
    }
  }
}
