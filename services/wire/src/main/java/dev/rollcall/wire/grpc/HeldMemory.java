package dev.rollcall.wire.grpc;

import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryUse;

/**
 * The bytes that one connection or one of its streams holds, of its peer's budget. On the event
 * loop of the connection.
 */
public final class HeldMemory {
  private final MemoryBudget budget;
  private final Object owner;
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

  /** Gives back everything; later releases find nothing to give. */
  public void close() {
    if (!closed) {
      closed = true;
      budget.release(owner, held);
    }
  }
}
