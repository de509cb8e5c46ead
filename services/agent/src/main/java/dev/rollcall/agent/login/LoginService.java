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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers each request of the PAM module, a bounded number of them at a time and none later than
 * its deadline allows. On the event loop of logins.
 */
final class LoginService {
  static final int MOST_UNDER_WAY = 512;

  /** So that others can log in. One that was given up counts until nothing is done for it. */
  static final int MOST_OF_A_USER = MOST_UNDER_WAY / 2;

  /** After its deadline a request has so long to end by itself. */
  private static final Duration SLACK = Duration.ofSeconds(1);

  private static final String UNDECIDED = "the agent could not decide this session";

  private final LoginDecision decision;
  private final Adopter adopter;
  private final AtomicInteger underWay = new AtomicInteger();

  /** By uid. */
  private final Map<Integer, Integer> ofUsers = new HashMap<>();

  LoginService(LoginDecision decision, Adopter adopter, MeterRegistry registry) {
    this.decision = decision;
    this.adopter = adopter;
    registry.gauge("rollcall.login.requests.under.way", underWay);
  }

  /** Never fails: a login that cannot be decided is recorded as that. */
  Future<LoginOutcome> answer(AdoptionRequested request) {
    if (request.phase() == Phase.CLOSE_SESSION) {
      return answered(request, decided(request)); // keeps no login out
    }
    int uid = request.uid();
    if (underWay.get() >= MOST_UNDER_WAY) {
      return busy(request, MOST_UNDER_WAY + " logins are in progress");
    }
    if (ofUsers.getOrDefault(uid, 0) >= MOST_OF_A_USER) {
      return busy(
          request,
          MOST_OF_A_USER + " logins of uid " + Integer.toUnsignedString(uid) + " are in progress");
    }
    underWay.incrementAndGet();
    ofUsers.merge(uid, 1, Integer::sum);
    Future<LoginOutcome> answer =
        decided(request)
            .onComplete(_ -> ofUsers.computeIfPresent(uid, (_, n) -> n == 1 ? null : n - 1));
    return answered(request, answer).onComplete(_ -> underWay.decrementAndGet());
  }

  /** What is thrown is a failure, too: who is counted here must not count for ever. */
  private Future<LoginOutcome> decided(AdoptionRequested request) {
    return Future.succeededFuture(request).compose(decision::answer);
  }

  private Future<LoginOutcome> answered(AdoptionRequested request, Future<LoginOutcome> answer) {
    return (answer.isComplete() ? answer : inTime(request, answer))
        .map(outcome -> forTheModule(request, outcome))
        .otherwise(cause -> undecided(request, cause));
  }

  private Future<LoginOutcome> busy(AdoptionRequested request, String cause) {
    String message = "too many logins are in progress, try again";
    return Future.succeededFuture(adopter.undecided(request, Undecided.BUSY, message, cause));
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

  /** After the deadline the module has given up: it neither carries out nor records the rest. */
  private LoginOutcome forTheModule(AdoptionRequested request, LoginOutcome outcome) {
    return outcome instanceof LoginOutcome.Decided || !request.deadline().passed()
        ? outcome
        : adopter.undecided(
            request, Undecided.FAILED, UNDECIDED, "it was not decided before its deadline");
  }

  private LoginOutcome undecided(AdoptionRequested request, Throwable cause) {
    return adopter.undecided(
        request, Undecided.FAILED, UNDECIDED, String.valueOf(cause.getMessage()));
  }
}
