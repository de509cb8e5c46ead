package dev.rollcall.agent.gateway;

import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.wire.trace.Span;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** This node's questions that are not answered yet. Every one is, by its patience's end. */
final class RollQuestions {
  private record Open(Promise<CallerAnswer> answer, long timer, long askedNanos, Span span) {}

  private static final int MOST = 4_096;

  /**
   * Kept back from the gateway's patience, so that its own word of why there is no answer arrives
   * in time: a tenth.
   */
  private static final int KEPT_BACK = 10;

  private final Map<Long, Open> open = new HashMap<>();
  private final Vertx vertx;
  private final Timer time;
  private long lastId;

  RollQuestions(Vertx vertx, Timer time) {
    this.vertx = vertx;
    this.time = time;
  }

  Future<CallerAnswer> ask(GatewayStream stream, RollQuestion question) {
    String gateway = "gateway " + stream.gateway().name();
    if (open.size() >= MOST) {
      return Future.succeededFuture(
          new CallerAnswer.Unreachable(gateway + " has " + MOST + " questions to answer already"));
    }
    long id = ++lastId;
    long patience = Math.max(1, question.patience().toMillis());
    Promise<CallerAnswer> answer = Promise.promise();
    long timer =
        vertx.setTimer(
            patience,
            _ ->
                answered(
                    id,
                    new CallerAnswer.Unreachable(
                        gateway + " did not answer within " + patience + " ms")));
    Span asking = stream.gateway().asked(question.span());
    open.put(id, new Open(answer, timer, System.nanoTime(), asking));
    Duration told = question.patience().minus(question.patience().dividedBy(KEPT_BACK));
    stream.send(EventMessages.question(id, new RollQuestion(question.connection(), told, asking)));
    return answer.future();
  }

  /** An answer that nobody waits for any more is dropped. */
  void answered(long id, CallerAnswer answer) {
    Open question = open.remove(id);
    if (question != null) {
      vertx.cancelTimer(question.timer());
      time.record(System.nanoTime() - question.askedNanos(), TimeUnit.NANOSECONDS);
      if (answer instanceof CallerAnswer.Unreachable(String why)) {
        question.span().failed(why);
      }
      question.span().end();
      question.answer().complete(answer);
    }
  }

  void failAll(String why) {
    List.copyOf(open.keySet()).forEach(id -> answered(id, new CallerAnswer.Unreachable(why)));
  }
}
