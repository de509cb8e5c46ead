package dev.rollcall.agent.login;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.login.adopt.Adopter;
import dev.rollcall.agent.login.adopt.AdoptionMeters.Undecided;
import dev.rollcall.agent.login.decide.LoginDecision;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers each request of the PAM module, a bounded number of them at a time and none later than
 * its deadline allows. On the event loop of logins.
 */
final class LoginService {
  private static final int MOST_UNDER_WAY = 512;

  /** After its deadline a request has so long to end by itself. */
  private static final Duration SLACK = Duration.ofSeconds(1);

  private static final String UNDECIDED = "the agent could not decide this session";

  private final LoginDecision decision;
  private final Adopter adopter;
  private final AtomicInteger underWay = new AtomicInteger();

  LoginService(LoginDecision decision, Adopter adopter, MeterRegistry registry) {
    this.decision = decision;
    this.adopter = adopter;
    registry.gauge("rollcall.login.requests.under.way", underWay);
  }

  /** Never fails: a login that cannot be decided is recorded as that. */
  Future<LoginOutcome> answer(AdoptionRequested request) {
    if (underWay.get() >= MOST_UNDER_WAY && request.phase() != Phase.CLOSE_SESSION) {
      String message = "too many logins are in progress, try again";
      return Future.succeededFuture(
          adopter.undecided(
              request, Undecided.BUSY, message, MOST_UNDER_WAY + " logins are in progress"));
    }
    underWay.incrementAndGet();
    Future<LoginOutcome> answer = decision.answer(request);
    return (answer.isComplete() ? answer : inTime(request, answer))
        .otherwise(cause -> undecided(request, cause))
        .onComplete(_ -> underWay.decrementAndGet());
  }

  private Future<LoginOutcome> inTime(AdoptionRequested request, Future<LoginOutcome> answer) {
    long millis = request.deadline().left().plus(SLACK).toMillis();
    return answer
        .timeout(millis, TimeUnit.MILLISECONDS)
        .recover(_ ->
            answer.isComplete()
                ? answer
                : Future.succeededFuture(
                    adopter.giveUp(
                        request, answer, UNDECIDED, "it was not carried out before its deadline")));
  }

  private LoginOutcome undecided(AdoptionRequested request, Throwable cause) {
    return adopter.undecided(
        request, Undecided.FAILED, UNDECIDED, String.valueOf(cause.getMessage()));
  }
}
