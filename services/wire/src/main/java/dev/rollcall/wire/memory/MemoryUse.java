package dev.rollcall.wire.memory;

import java.util.Locale;

/** The kinds of memory that a peer can use; the {@code use} label of the metrics. */
public enum MemoryUse {
  /** Headers and messages of calls that have not been handed to a service. */
  REQUEST,
  /** Bodies of HTTP requests that have not ended. */
  BODY,
  /** Messages that wait until the peer reads. */
  OUTGOING,
  /** Entries of lists that the peer's watches and subscriptions keep. */
  WATCHER;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
