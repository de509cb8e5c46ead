package dev.rollcall.agent.login.decide;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Empty;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.agent.event.Mover;
import dev.rollcall.agent.event.OfferAnswer;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.login.adopt.Adopter;
import dev.rollcall.agent.login.adopt.AdoptionMeters.Undecided;
import dev.rollcall.agent.login.adopt.DecisionResult;
import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.AdoptPolicy;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import dev.rollcall.model.Reason;
import dev.rollcall.port.Jobs;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides a login: gathers facts, applies the policy, asks for more facts if needed, and has the
 * decision carried out. On the event loop of logins.
 *
 * @param asked what was found of callers, while a user thinks about the jobs that were offered, or
 *     the module moves its process
 */
public record LoginDecision(
    Bus bus,
    Jobs jobs,
    Adopter adopter,
    CallerLookup callers,
    JobChoices choices,
    DecidedLogins decided,
    JobStartWaits waits,
    LoginMemory<CallerAnswer> asked,
    AuditOnlyCheck auditOnly,
    DecisionMeters meters) {
  /** Once for what was decided, once more when that job stopped taking sessions meanwhile. */
  private static final int ATTEMPTS = 2;

  private static final Duration SLACK = Duration.ofSeconds(1);

  /** Fails where something was not there in time. */
  public Future<LoginOutcome> answer(AdoptionRequested request) {
    return switch (request.phase()) {
      case ACCOUNT ->
          decided
              .ofSameProcess(request)
              .map(earlier -> again(request, earlier))
              .orElseGet(() -> decide(request, knownCaller(request), ATTEMPTS));
      case OPEN_SESSION ->
          decided
              .logins()
              .of(request)
              .map(decision -> again(request, decision))
              .orElseGet(() -> readLog(request));
      case CLOSE_SESSION -> {
        decided.logins().drop(request);
        yield closed(request);
      }
      case WARM_UP -> decide(request, Optional.empty(), ATTEMPTS);
    };
  }

  /** The module may have decided the account phase a moment ago, in another process. */
  private Future<LoginOutcome> readLog(AdoptionRequested request) {
    Duration patience = request.deadline().leftBeforeMove();
    Future<Empty> read =
        request.connection().isEmpty() || patience.isZero()
            ? Future.succeededFuture(new Empty())
            : bus.ask(Queries.LOGIN_LOG_READ, new Empty(), patience);
    return read.transform(_ ->
        decided
            .logins()
            .of(request)
            .map(decision -> again(request, decision))
            .orElseGet(() -> decide(request, Optional.empty(), ATTEMPTS)));
  }

  /** The result does not matter to sshd, whose session is over. */
  private Future<LoginOutcome> closed(AdoptionRequested request) {
    return bus.ask(Queries.SESSION_CLOSED, request.process(), request.deadline().left().plus(SLACK))
        .transform(_ -> aside());
  }

  private static Future<LoginOutcome> aside() {
    return Future.succeededFuture(new LoginOutcome.StepAside("", Reason.OTHER_SERVICE));
  }

  private Optional<CallerAnswer> knownCaller(AdoptionRequested request) {
    boolean again =
        request.mover() == Mover.AGENT_INSTEAD
            || !(request.offerAnswer() instanceof OfferAnswer.NotOffered);
    return again ? asked.take(request) : Optional.empty();
  }

  private AdoptPolicy.Session session(AdoptionRequested request, Optional<CallerAnswer> caller) {
    Optional<JobId> chosen =
        request.offerAnswer() instanceof OfferAnswer.Chosen(JobId job)
            ? Optional.of(job)
            : choices.of(request.uid());
    return new AdoptPolicy.Session(request.service(), request.uid(), jobs.list(), chosen, caller);
  }

  /** A choice is stored under the connection; without one the session phase could not find it. */
  private static AdoptOptions options(AdoptionRequested request) {
    boolean askable =
        request.phase() == Phase.ACCOUNT
            && request.connection().isPresent()
            && !(request.offerAnswer() instanceof OfferAnswer.Declined);
    return askable ? request.options() : request.options().withoutChoosing();
  }

  private Future<LoginOutcome> decide(
      AdoptionRequested request, Optional<CallerAnswer> caller, int attempts) {
    AdoptPolicy.Session session = session(request, caller);
    Decision decision = AdoptPolicy.decide(options(request), session);
    return switch (decision) {
      case Decision.AskCaller() -> askThenDecide(request, attempts);
      case Decision.Wait wait -> waitThenDecide(request, caller, wait, attempts);
      case Decision.Offer offer ->
          offer(request, offer, AdoptPolicy.doubt(session), caller, attempts);
      case Decision.Adopt(_, Reason reason)
          when reason == Reason.ONLY_JOB
              && caller.isEmpty()
              && !request.options().singleJobSkipRpc() ->
          // For the record alone: with the answer at hand the policy decides the same.
          askThenDecide(request, attempts);
      case Decision decided -> {
        Optional<String> unknown =
            decided.reason() == Reason.NO_JOBS ? jobs.unknownBecause() : Optional.empty();
        yield unknown.isPresent()
            ? withUnknownJobs(request, decided, unknown.get())
            : carryOut(request, decided, AdoptPolicy.doubt(session), caller, attempts);
      }
    };
  }

  /** The user may have jobs here, so the decision is that of a failure of the agent. */
  private Future<LoginOutcome> withUnknownJobs(
      AdoptionRequested request, Decision decision, String why) {
    String message = "the jobs of this node are unknown: " + why;
    return auditOnly
        .onlyWatched(request)
        .compose(only ->
            only
                ? carryOut(request, decision, message, Optional.empty(), 1)
                : Future.succeededFuture(
                    adopter.undecided(request, Undecided.FAILED, message, message)));
  }

  private Future<LoginOutcome> askThenDecide(AdoptionRequested request, int attempts) {
    return callers.find(request).compose(answer -> decide(request, Optional.of(answer), attempts));
  }

  private Future<LoginOutcome> waitThenDecide(
      AdoptionRequested request, Optional<CallerAnswer> caller, Decision.Wait wait, int attempts) {
    return waits
        .forChangeOf(wait.beginning(), request.deadline().leftBeforeMove())
        .compose(end ->
            switch (end) {
              case CHANGED -> decide(request, caller, attempts);
              case TIMED_OUT -> carryOut(request, wait.otherwise(), "", caller, attempts);
            });
  }

  /** Nobody is asked about a session that is only watched. */
  private Future<LoginOutcome> offer(
      AdoptionRequested request,
      Decision.Offer offer,
      String doubt,
      Optional<CallerAnswer> caller,
      int attempts) {
    return auditOnly
        .onlyWatched(request)
        .compose(only -> {
          if (only) {
            return carryOut(request, offer.otherwise(), doubt, caller, attempts);
          }
          meters.offered();
          caller.ifPresent(answer -> asked.keep(request, answer));
          return Future.succeededFuture(new LoginOutcome.JobsOffered(offer.newestFirst()));
        });
  }

  private Future<LoginOutcome> carryOut(
      AdoptionRequested request,
      Decision decision,
      String doubt,
      Optional<CallerAnswer> caller,
      int attempts) {
    return auditOnly
        .of(request, decision)
        .compose(enforced -> carryOutNow(request, enforced, doubt, caller, attempts));
  }

  private Future<LoginOutcome> carryOutNow(
      AdoptionRequested request,
      Decision decision,
      String doubt,
      Optional<CallerAnswer> caller,
      int attempts) {
    if (decision instanceof Decision.Unenforced(Decision would)) {
      meters.unenforced(would);
    }
    if (decision instanceof Decision.Adopt adopt && request.mover() == Mover.MODULE) {
      caller.ifPresent(answer -> asked.keep(request, answer));
      return Future.succeededFuture(adopter.delegate(request, adopt, doubt));
    }
    return adopter
        .carryOut(request, decision, doubt)
        .compose(result ->
            switch (result) {
              case DecisionResult.Done(LoginOutcome.Decided outcome, _, _) -> {
                if (request.phase() != Phase.WARM_UP) {
                  meters.decided(outcome.reason(), DecisionMeters.By.AGENT);
                }
                decided.keep(request, decision, doubt, outcome);
                yield Future.succeededFuture(outcome);
              }
              case DecisionResult.JobNotOpen(String reason) ->
                  attempts > 1
                      ? decide(request, caller, attempts - 1)
                      : Future.succeededFuture(
                          adopter.undecided(request, Undecided.FAILED, reason, reason));
            });
  }

  private Future<LoginOutcome> again(AdoptionRequested request, DecidedLogins.Earlier earlier) {
    return adopter
        .repeat(request, earlier.decision(), earlier.doubt(), earlier.adoptionId())
        .compose(result ->
            switch (result) {
              case DecisionResult.Done(LoginOutcome.Decided outcome, _, _) ->
                  Future.succeededFuture(outcome);
              case DecisionResult.JobNotOpen _ -> {
                decided.logins().drop(request);
                yield decide(request, Optional.empty(), 1);
              }
            });
  }
}
