package dev.rollcall.wire.memory;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows the open connections of all peers of this process, and which kinds of peers are refused
 * while its memory is short. Servers add each connection, and ask before they accept a connection
 * or a call. Thread-safe.
 */
public final class PeerConnections {
  private final Set<PeerConnection> open = ConcurrentHashMap.newKeySet();
  private volatile Refusals refusals = new Refusals(Optional.empty(), "");

  /**
   * @param most the last kind that is refused; absent: none is
   */
  private record Refusals(Optional<PeerKind> most, String why) {}

  /**
   * Adds a connection.
   *
   * @return removes it; to be run when it is closed
   */
  public Runnable opened(PeerConnection connection) {
    open.add(connection);
    return () -> open.remove(connection);
  }

  /**
   * Returns why a peer of this kind may open no connection and begin no call now; empty if it may.
   * The text is for the client, with RESOURCE_EXHAUSTED or 503.
   */
  public Optional<String> objection(PeerKind kind) {
    Refusals now = refusals;
    return now.most.filter(most -> kind.compareTo(most) <= 0).map(_ -> now.why);
  }

  Collection<PeerConnection> open() {
    return Set.copyOf(open);
  }

  /** Refuses peers up to this kind from now on. */
  void refuse(PeerKind most, String why) {
    refusals = new Refusals(Optional.of(most), why);
  }

  /** Refuses nobody from now on. */
  void admitAll() {
    refusals = new Refusals(Optional.empty(), "");
  }
}
