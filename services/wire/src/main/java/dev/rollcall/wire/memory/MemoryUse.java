package dev.rollcall.wire.memory;

import dev.rollcall.model.Worded;

/** The kinds of memory that a peer can use; the {@code use} label of the metrics. */
public enum MemoryUse implements Worded {
  /** Headers and messages of calls that have not been handed to a service. */
  REQUEST,
  /** Bodies of HTTP requests that have not ended. */
  BODY,
  /** Messages that wait until the peer reads. */
  OUTGOING,
  /** Entries of lists that the peer's watches and subscriptions keep. */
  WATCHER
}
