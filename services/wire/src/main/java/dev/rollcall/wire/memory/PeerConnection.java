package dev.rollcall.wire.memory;

/** An open connection of a peer, which is closed when this process is short of memory. */
public interface PeerConnection {
  /** The kind of its peer, as far as it is known now: a call may prove another. */
  PeerKind kind();

  /** The peer, as {@link MemoryBudget} counts it. */
  Object account();

  /** Bytes received since it was opened. */
  long received();

  /** Has it closed at once, without waiting for its calls. Returns immediately; from any thread. */
  void close();
}
