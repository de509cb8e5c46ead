package dev.rollcall.wire.memory;

import io.vertx.core.Future;

/**
 * The bytes that one connection or one of its streams holds, of its peer's budget. On the event
 * loop of the connection.
 */
public final class HeldMemory {
  private final MemoryBudget budget;
  private Object owner;
  private long held;
  private boolean closed;

  /**
   * @param owner whose budget it is
   */
  public HeldMemory(MemoryBudget budget, Object owner) {
    this.budget = budget;
    this.owner = owner;
  }

  /** False if the budget has no more; nothing is held then. */
  public boolean take(MemoryUse use, long bytes) {
    if (closed || !budget.take(owner, use, bytes)) {
      return false;
    }
    held += bytes;
    return true;
  }

  public void release(long bytes) {
    if (!closed) {
      held -= bytes;
      budget.release(owner, bytes);
    }
  }

  /**
   * Counts for another peer from now on, whose budget must have room for what is held. False if it
   * has none: nothing changes then.
   */
  public boolean moveTo(Object other) {
    if (!closed && !other.equals(owner)) {
      if (!budget.take(other, MemoryUse.REQUEST, held)) {
        return false;
      }
      budget.release(owner, held);
      owner = other;
    }
    return true;
  }

  /** Releases bytes when this was sent, or never will be. */
  public void releaseAfter(Future<Void> sent, long bytes) {
    sent.onComplete(_ -> release(bytes));
  }

  /** Gives back everything; later releases find nothing to give. */
  public void close() {
    if (!closed) {
      closed = true;
      budget.release(owner, held);
    }
  }
}
