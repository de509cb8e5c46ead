package dev.rollcall.agent.gateway;

import dev.rollcall.agent.event.Empty;
import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.wire.trace.Span;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks a gateway once about a call that nobody made, at an address of this node. The gateway asks
 * this node in turn, so that both have done what the first login of another node needs. On the
 * event loop.
 */
final class WarmUp {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final int NO_SERVICE = 1; // tcpmux

  private final RollQuestions questions;
  private final Promise<Empty> done = Promise.promise();
  private boolean wanted;
  private boolean asked;

  WarmUp(RollQuestions questions) {
    this.questions = questions;
  }

  /** Completes when it is over, or there is no gateway. */
  Future<Empty> want() {
    wanted = true;
    return done.future();
  }

  /**
   * @param own an address of this node that the gateway accepts
   */
  void connected(GatewayStream stream, Optional<InetAddress> own) {
    if (wanted && !asked) {
      asked = true;
      own.map(address -> new Endpoint(address, NO_SERVICE))
          .map(
              end -> new RollQuestion(Connection.tcp(end, end), Duration.ZERO, PATIENCE, Span.NONE))
          .map(question -> questions.ask(Optional.of(stream), "", question))
          .ifPresentOrElse(asking -> asking.onComplete(_ -> end()), this::end);
    }
  }

  /** There is nothing to ask now. */
  void end() {
    done.tryComplete(new Empty());
  }
}
