package dev.rollcall.gateway.route;

import dev.rollcall.model.NodeName;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Questions that nodes have not answered yet. Each ends exactly once, by its patience. */
final class Asked<T> {
  private record Waiting<T>(NodeName node, CompletableFuture<Heard<T>> heard) {}

  private final AtomicLong lastId;
  private final Map<Long, Waiting<T>> waiting = new ConcurrentHashMap<>();

  /**
   * @param lastId shared by those whose ids must differ
   */
  Asked(AtomicLong lastId) {
    this.lastId = lastId;
  }

  /**
   * Asks a node.
   *
   * @param send sends the question under the id that it is given
   */
  CompletableFuture<Heard<T>> ask(NodeName node, Duration patience, LongConsumer send) {
    long id = lastId.incrementAndGet();
    var heard = new CompletableFuture<Heard<T>>();
    waiting.put(id, new Waiting<>(node, heard));
    CompletableFuture<Heard<T>> bounded =
        heard.completeOnTimeout(
            new Heard.Silent<>(
                "node " + node + " did not answer within " + patience.toMillis() + " ms"),
            patience.toNanos(),
            TimeUnit.NANOSECONDS);
    var _ = bounded.whenComplete((_, _) -> waiting.remove(id));
    send.accept(id);
    return bounded;
  }

  /** A node has answered. An id that it was not asked under, or that is over, says nothing. */
  void answered(NodeName by, long id, T answer) {
    Waiting<T> question = waiting.get(id);
    if (question != null && question.node.equals(by)) {
      question.heard.complete(new Heard.Said<>(answer));
    }
  }

  /** Another gateway passes a node's answer on. */
  void answered(long id, T answer) {
    Waiting<T> question = waiting.get(id);
    if (question != null) {
      question.heard.complete(new Heard.Said<>(answer));
    }
  }

  /** It is known that nobody will answer. */
  void silent(long id, String reason) {
    Waiting<T> question = waiting.get(id);
    if (question != null) {
      question.heard.complete(new Heard.Silent<>(reason));
    }
  }

  /** A node's stream has ended. */
  void gone(NodeName node, String reason) {
    waiting.forEach((id, question) -> {
      if (question.node.equals(node)) {
        silent(id, reason);
      }
    });
  }
}
