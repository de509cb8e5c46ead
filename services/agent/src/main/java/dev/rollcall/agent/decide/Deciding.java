package dev.rollcall.agent.decide;

import dev.rollcall.agent.event.AdoptionDecided;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.CarriedOut;
import dev.rollcall.agent.event.DoorAnswer;
import dev.rollcall.agent.event.DoorAnswer.Outcome;
import dev.rollcall.agent.event.DoorResponse;
import dev.rollcall.agent.event.JobsOffered;
import dev.rollcall.agent.event.LoginLogRead;
import dev.rollcall.agent.event.OfferAnswer;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.SessionClosed;
import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.AdoptPolicy;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Decision;
import dev.rollcall.model.JobId;
import dev.rollcall.model.Reason;
import dev.rollcall.port.Jobs;
import dev.rollcall.wire.trace.Span;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/** One session's way to its decision: facts, policy, more facts if it asks for them, and out. */
final class Deciding {
  /** Once for what was decided, once more when that job stopped taking sessions meanwhile. */
  private static final int ATTEMPTS = 2;

  private static final Duration SLACK = Duration.ofSeconds(1);

  /**
   * A decision that was carried out.
   *
   * @param adoptionId under which it is remembered
   * @param traceparent of the phase that made it; empty where nothing is traced
   */
  record Held(Decision decision, String doubt, String adoptionId, String traceparent) {}

  private final Bus bus;
  private final Jobs jobs;
  private final Callers callers;
  private final Choices choices;
  private final JobWaits waits;
  private final KeptForLogins<Held> held;
  private final KeptForLogins<CallerAnswer> asked;
  private final Enforcing enforcing;
  private final DecideMeters meters;

  /**
   * @param held decisions of the account phase, for the session phase
   * @param asked what was found of callers before jobs were offered: while a user thinks, nothing
   *     else is kept of the login
   */
  Deciding(
      Bus bus,
      Jobs jobs,
      Callers callers,
      Choices choices,
      JobWaits waits,
      KeptForLogins<Held> held,
      KeptForLogins<CallerAnswer> asked,
      Enforcing enforcing,
      DecideMeters meters) {
    this.bus = bus;
    this.jobs = jobs;
    this.callers = callers;
    this.choices = choices;
    this.waits = waits;
    this.held = held;
    this.asked = asked;
    this.enforcing = enforcing;
    this.meters = meters;
  }

  Future<DoorResponse> answer(AdoptionRequested request) {
    return switch (request.phase()) {
      case ACCOUNT -> weigh(request, knownCaller(request), ATTEMPTS);
      case OPEN_SESSION ->
          held.of(request)
              .map(decision -> again(request, decision))
              .orElseGet(() -> readLog(request));
      case CLOSE_SESSION -> {
        held.drop(request);
        yield closed(request);
      }
      case WARM_UP -> weigh(request, Optional.empty(), ATTEMPTS);
    };
  }

  /** The module may have decided the account phase a moment ago, in another process. */
  private Future<DoorResponse> readLog(AdoptionRequested request) {
    Duration patience = MoveReserve.before(request.deadline());
    Future<LoginLogRead> read =
        request.connection().isEmpty() || patience.isZero()
            ? Future.succeededFuture(new LoginLogRead())
            : bus.ask(Queries.LOGIN_LOG_READ, new LoginLogRead(), patience);
    return read.transform(_ ->
        held.of(request)
            .map(decision -> again(request, decision))
            .orElseGet(() -> weigh(request, Optional.empty(), ATTEMPTS)));
  }

  /** What comes of it is nothing to sshd, whose session is over. */
  private Future<DoorResponse> closed(AdoptionRequested request) {
    return bus.ask(
            Queries.SESSION_CLOSED,
            new SessionClosed(request.process()),
            request.deadline().left().plus(SLACK))
        .transform(_ -> aside());
  }

  private static Future<DoorResponse> aside() {
    return Future.succeededFuture(
        DoorAnswer.without(Outcome.STEP_ASIDE, "", "", Reason.OTHER_SERVICE.word()));
  }

  private Optional<CallerAnswer> knownCaller(AdoptionRequested request) {
    return request.offerAnswer() instanceof OfferAnswer.NotOffered
        ? Optional.empty()
        : asked.take(request);
  }

  private AdoptPolicy.Session session(AdoptionRequested request, Optional<CallerAnswer> caller) {
    Optional<JobId> chosen =
        request.offerAnswer() instanceof OfferAnswer.Chosen(JobId job)
            ? Optional.of(job)
            : choices.of(request.uid());
    return new AdoptPolicy.Session(request.service(), request.uid(), jobs.list(), chosen, caller);
  }

  /** By the connection alone would the session phase find what was chosen in the account phase. */
  private static AdoptOptions options(AdoptionRequested request) {
    boolean askable =
        request.phase() == Phase.ACCOUNT
            && request.connection().isPresent()
            && !(request.offerAnswer() instanceof OfferAnswer.Declined);
    return askable ? request.options() : request.options().withoutChoosing();
  }

  private Future<DoorResponse> weigh(
      AdoptionRequested request, Optional<CallerAnswer> caller, int attempts) {
    Span deciding = request.span().child("decide");
    AdoptPolicy.Session session = session(request, caller);
    Decision decision = AdoptPolicy.decide(options(request), session);
    deciding.end();
    return switch (decision) {
      case Decision.AskCaller() -> askThenWeigh(request, attempts);
      case Decision.Wait wait -> waitThenWeigh(request, caller, wait, attempts);
      case Decision.Offer offer ->
          offer(request, offer, AdoptPolicy.doubt(session), caller, attempts);
      case Decision.Adopt(_, Reason reason)
          when reason == Reason.ONLY_JOB
              && caller.isEmpty()
              && !request.options().singleJobSkipRpc() ->
          // For the record alone: with the answer at hand the policy decides the same.
          askThenWeigh(request, attempts);
      case Decision decided ->
          carryOut(request, decided, AdoptPolicy.doubt(session), caller, attempts);
    };
  }

  private Future<DoorResponse> askThenWeigh(AdoptionRequested request, int attempts) {
    return callers.find(request).compose(answer -> weigh(request, Optional.of(answer), attempts));
  }

  private Future<DoorResponse> waitThenWeigh(
      AdoptionRequested request, Optional<CallerAnswer> caller, Decision.Wait wait, int attempts) {
    Span waiting = request.span().child("wait");
    return waits
        .forChangeOf(wait.beginning(), MoveReserve.before(request.deadline()))
        .onComplete(_ -> waiting.end())
        .compose(end ->
            switch (end) {
              case CHANGED -> weigh(request, caller, attempts);
              case TIMED_OUT -> carryOut(request, wait.otherwise(), "", caller, attempts);
            });
  }

  /** Nobody is asked about a session that is only watched. */
  private Future<DoorResponse> offer(
      AdoptionRequested request,
      Decision.Offer offer,
      String doubt,
      Optional<CallerAnswer> caller,
      int attempts) {
    return enforcing
        .onlyWatched(request)
        .compose(only -> {
          if (only) {
            return carryOut(request, offer.otherwise(), doubt, caller, attempts);
          }
          meters.offered();
          caller.ifPresent(answer -> asked.keep(request, answer));
          return Future.succeededFuture(new JobsOffered(offer.newestFirst()));
        });
  }

  private Future<DoorResponse> carryOut(
      AdoptionRequested request,
      Decision decision,
      String doubt,
      Optional<CallerAnswer> caller,
      int attempts) {
    if (request.phase() != Phase.WARM_UP) {
      meters.decided(decision.reason());
    }
    return enforcing
        .of(request, decision)
        .compose(enforced -> carryOutNow(request, enforced, doubt, caller, attempts));
  }

  private Future<DoorResponse> carryOutNow(
      AdoptionRequested request,
      Decision decision,
      String doubt,
      Optional<CallerAnswer> caller,
      int attempts) {
    if (decision instanceof Decision.Unenforced(Decision would)) {
      meters.unenforced(would);
    }
    return tell(new AdoptionDecided(request, decision, doubt, Optional.empty()))
        .compose(result ->
            switch (result) {
              case CarriedOut.Done(DoorAnswer answer) -> {
                hold(request, decision, doubt, answer);
                yield Future.succeededFuture(answer);
              }
              case CarriedOut.JobNotOpen(String reason) ->
                  attempts > 1
                      ? weigh(request, caller, attempts - 1)
                      : Future.succeededFuture(DoorAnswer.failed(reason));
            });
  }

  private void hold(AdoptionRequested request, Decision decision, String doubt, DoorAnswer answer) {
    boolean letIn =
        answer.outcome() == Outcome.ADOPTED
            || answer.outcome() == Outcome.ALLOWED
            || decision instanceof Decision.Unenforced;
    if (letIn) {
      held.keep(
          request, new Held(decision, doubt, answer.adoptionId(), request.span().traceparent()));
    }
  }

  private Future<DoorResponse> again(AdoptionRequested request, Held earlier) {
    request.span().continues(earlier.traceparent());
    return tell(new AdoptionDecided(
            request, earlier.decision(), earlier.doubt(), Optional.of(earlier.adoptionId())))
        .compose(result ->
            switch (result) {
              case CarriedOut.Done(DoorAnswer answer) ->
                  Future.<DoorResponse>succeededFuture(answer);
              case CarriedOut.JobNotOpen _ -> {
                held.drop(request);
                yield weigh(request, Optional.empty(), 1);
              }
            });
  }

  private Future<CarriedOut> tell(AdoptionDecided decided) {
    return bus.ask(
        Queries.ADOPTION_DECIDED, decided, decided.request().deadline().left().plus(SLACK));
  }
}
