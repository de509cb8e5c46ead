package dev.rollcall.gateway.http;

import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryUse;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * Counts the memory that one peer's HTTP requests use of the process's budget.
 *
 * @param peer as {@link dev.rollcall.wire.grpc.Peer#account}
 */
record PeerMemory(MemoryBudget budget, Object peer) {
  /** By then an answer has been read, or a body has come. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** False, if a bound is reached. */
  boolean take(MemoryUse use, long bytes) {
    return budget.take(peer, use, bytes);
  }

  void release(long bytes) {
    budget.release(peer, bytes);
  }

  /** Releases the bytes of a response when it was sent or its connection ended. */
  void releaseAfter(Future<Void> sent, long bytes) {
    sent.onComplete(_ -> release(bytes));
  }

  /**
   * @param what names what is not taken, as "the body"
   */
  static Refusal refusal(String what) {
    return Refusal.of(
            Reason.MEMORY_EXCEEDED,
            what
                + " exceeds the memory that requests and answers of one client, or of all, may"
                + " hold")
        .again(AGAIN);
  }
}
