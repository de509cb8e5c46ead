package dev.rollcall.agent.gateway;

import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.model.CallerAnswer;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Keeps this node's questions until they are answered, each by its patience's end. When a stream
 * ends, its questions are asked again on the next one.
 */
final class RollQuestions {
  /**
   * A question that is not answered.
   *
   * @param silence why there is no answer, should none come
   */
  private record Open(
      RollQuestion question,
      Promise<CallerAnswer> answer,
      long timer,
      long askedNanos,
      String silence) {
    Open now(String why) {
      return new Open(question, answer, timer, askedNanos, why);
    }

    Duration waited() {
      return Duration.ofNanos(System.nanoTime() - askedNanos);
    }
  }

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

  /**
   * @param stream absent: the question waits for {@link #connected}
   * @param silence why there is no stream
   */
  Future<CallerAnswer> ask(Optional<GatewayStream> stream, String silence, RollQuestion question) {
    if (open.size() >= MOST) {
      return Future.succeededFuture(
          new CallerAnswer.Unreachable(MOST + " questions of this node wait for an answer"));
    }
    long id = ++lastId;
    long timer = vertx.setTimer(Math.max(1, question.patience().toMillis()), _ -> late(id));
    var asked = new Open(question, Promise.promise(), timer, System.nanoTime(), silence);
    open.put(id, asked);
    stream.ifPresent(it -> send(id, asked, it));
    return asked.answer().future();
  }

  /** Sends what waits for a stream. */
  void connected(GatewayStream stream) {
    Map.copyOf(open).forEach((id, question) -> send(id, question, stream));
  }

  /** The stream has ended: its questions wait for the next one. */
  void disconnected(String why) {
    open.replaceAll((_, question) -> question.now(why));
  }

  private void send(long id, Open asked, GatewayStream stream) {
    RollQuestion question = asked.question();
    Duration waited = asked.waited();
    Duration left = Duration.ofMillis(Math.max(1, question.patience().minus(waited).toMillis()));
    open.put(
        id,
        asked.now(
            "gateway %s did not answer within %d ms"
                .formatted(stream.gateway().name(), question.patience().toMillis())));
    stream.send(
        EventMessages.question(
            id,
            new RollQuestion(
                question.connection(),
                question.mostAge().plus(waited),
                left.minus(left.dividedBy(KEPT_BACK)))));
  }

  private void late(long id) {
    Optional.ofNullable(open.get(id))
        .ifPresent(asked -> answered(id, new CallerAnswer.Unreachable(asked.silence())));
  }

  /** An answer that nobody waits for any more is dropped. */
  void answered(long id, CallerAnswer answer) {
    Open question = open.remove(id);
    if (question != null) {
      vertx.cancelTimer(question.timer());
      time.record(System.nanoTime() - question.askedNanos(), TimeUnit.NANOSECONDS);
      question.answer().complete(answer);
    }
  }

  void failAll(String why) {
    List.copyOf(open.keySet()).forEach(id -> answered(id, new CallerAnswer.Unreachable(why)));
  }
}
