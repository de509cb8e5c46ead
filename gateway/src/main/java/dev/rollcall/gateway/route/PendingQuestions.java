package dev.rollcall.gateway.route;

import dev.rollcall.model.NodeName;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.NodeAnswer.AnswerCase;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Questions that nodes have not answered yet. Each ends exactly once, by its patience. */
final class PendingQuestions {
  private record Waiting(NodeName node, AnswerCase kind, CompletableFuture<NodeReply> heard) {
    /** An answer to something else says nothing. */
    void answered(NodeAnswer answer) {
      if (answer.getAnswerCase() == kind) {
        heard.complete(new NodeReply.Said(answer));
      }
    }
  }

  private final AtomicLong lastId = new AtomicLong();
  private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();

  /**
   * Asks a node.
   *
   * @param kind of the answer
   * @param send sends the question under the id that it is given
   */
  CompletableFuture<NodeReply> ask(
      NodeName node, AnswerCase kind, Duration patience, LongConsumer send) {
    long id = lastId.incrementAndGet();
    var heard = new CompletableFuture<NodeReply>();
    waiting.put(id, new Waiting(node, kind, heard));
    CompletableFuture<NodeReply> bounded =
        heard.completeOnTimeout(
            new NodeReply.Silent(
                "node " + node + " did not answer within " + patience.toMillis() + " ms"),
            patience.toNanos(),
            TimeUnit.NANOSECONDS);
    var _ = bounded.whenComplete((_, _) -> waiting.remove(id));
    send.accept(id);
    return bounded;
  }

  /** A node has answered. An id that it was not asked under, or that is over, says nothing. */
  void answered(NodeName by, NodeAnswer answer) {
    Waiting question = waiting.get(Numbered.number(answer));
    if (question != null && question.node.equals(by)) {
      question.answered(answer);
    }
  }

  /** Another gateway passes a node's answer on, or says that nobody will answer. */
  void answered(NodeAnswer answer) {
    long id = Numbered.number(answer);
    Waiting question = waiting.get(id);
    if (answer.hasNotAnswered()) {
      silent(id, answer.getNotAnswered().getReason());
    } else if (question != null) {
      question.answered(answer);
    }
  }

  /** It is known that nobody will answer. */
  void silent(long id, String reason) {
    Waiting question = waiting.get(id);
    if (question != null) {
      question.heard.complete(new NodeReply.Silent(reason));
    }
  }

  void gone(NodeName node, String reason) {
    waiting.forEach((id, question) -> {
      if (question.node.equals(node)) {
        silent(id, reason);
      }
    });
  }
}
