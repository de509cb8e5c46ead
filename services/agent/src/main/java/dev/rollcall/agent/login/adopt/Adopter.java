package dev.rollcall.agent.login.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.LoginOutcome;
import dev.rollcall.agent.event.LoginOutcome.Decided;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.login.adopt.AdoptionMeters.Undecided;
import dev.rollcall.agent.login.adopt.DecisionResult.Done;
import dev.rollcall.model.Decision;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/** Carries decisions out, and records the results. On the event loop of logins. */
public final class Adopter {
  /** Of one user, at once: each may wait for the lock of a busy job, or for its daemon. */
  private static final int MOST_MOVES_OF_A_USER = 2;

  private final SessionMover mover;
  private final WorkerExecutor workers;
  private final AdoptionRecorder recorder;
  private final AdoptionMeters meters;
  private final String idPrefix;
  private final UserTurns turns = new UserTurns(MOST_MOVES_OF_A_USER);

  /** Those that are recorded as failed, and still under way. */
  private final Set<AdoptionRequested> givenUp = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The ids of the records of those that an earlier phase decided, while they are under way. */
  private final IdentityHashMap<AdoptionRequested, String> repeated = new IdentityHashMap<>();

  private long sequence;

  /**
   * @param workers where processes are moved
   * @param epoch of this run, which makes adoption ids unique on the node
   */
  public Adopter(
      SessionMover mover,
      WorkerExecutor workers,
      AdoptionRecorder recorder,
      AdoptionMeters meters,
      long epoch) {
    this.mover = mover;
    this.workers = workers;
    this.recorder = recorder;
    this.meters = meters;
    this.idPrefix = Long.toString(epoch, Character.MAX_RADIX) + "-";
  }

  /**
   * @param decision Adopt, Allow, Deny, StepAside or Unenforced
   * @param doubt why the caller did not decide it; empty when it did, or was not asked
   */
  public Future<DecisionResult> carryOut(
      AdoptionRequested request, Decision decision, String doubt) {
    String id = request.phase() == Phase.WARM_UP ? "warm-up" : nextId();
    return resultOf(request, decision, doubt, id)
        .onSuccess(result -> {
          if (result instanceof Done done) {
            record(request, done, would(decision));
          }
        });
  }

  /** Leaves it to the PAM module to carry a decision out and to record it. */
  public LoginOutcome.Join delegate(
      AdoptionRequested request, Decision.Adopt decision, String doubt) {
    return new LoginOutcome.Join(
        nextId(), decision.reason(), decision.into(), SessionSetups.oneLine(doubt));
  }

  /**
   * Carries out again what an earlier phase of the login decided. Its record is corrected if the
   * session does not come into its job this time, or fails.
   */
  public Future<DecisionResult> repeat(
      AdoptionRequested request, Decision decision, String doubt, String id) {
    repeated.put(request, id);
    return resultOf(request, decision, doubt, id)
        .onComplete(_ -> repeated.remove(request))
        .onSuccess(result -> {
          recorder.asksAgain(id, request.process().ref());
          if (result instanceof Done done
              && (done.outcome() instanceof LoginOutcome.Failed
                  || (decision instanceof Decision.Adopt && done.step().isEmpty()))) {
            recorder.correct(adoption(request, done, Optional.empty()));
          }
        });
  }

  /**
   * Counts and records a login that could not be decided.
   *
   * @param message for its user
   * @param cause for the record
   */
  public Decided undecided(
      AdoptionRequested request, Undecided kind, String message, String cause) {
    boolean login = isLogin(request) && !givenUp.contains(request);
    if (login) {
      meters.undecided(kind, cause);
    }
    var failed = new LoginOutcome.Failed(login ? nextId() : "", message);
    if (login) {
      record(request, new Done(failed, cause, Optional.empty()), Optional.empty());
    }
    return failed;
  }

  /**
   * Counts and records a login that takes too long, or corrects its record of an earlier phase.
   * Whatever becomes of it later is not recorded.
   *
   * @param answer completes when nothing is under way for it any more
   * @param message for its user
   * @param cause for the record
   */
  public Decided giveUp(
      AdoptionRequested request, Future<LoginOutcome> answer, String message, String cause) {
    String earlier = repeated.get(request);
    Decided failed =
        earlier == null
            ? undecided(request, Undecided.FAILED, message, cause)
            : corrected(request, earlier, message, cause);
    givenUp.add(request);
    answer.onComplete(_ -> givenUp.remove(request));
    return failed;
  }

  private Decided corrected(AdoptionRequested request, String id, String message, String cause) {
    meters.undecided(Undecided.FAILED, cause);
    var failed = new LoginOutcome.Failed(id, message);
    recorder.asksAgain(id, request.process().ref());
    recorder.correct(
        adoption(request, new Done(failed, cause, Optional.empty()), Optional.empty()));
    return failed;
  }

  private Future<DecisionResult> resultOf(
      AdoptionRequested request, Decision decision, String doubt, String id) {
    Future<DecisionResult> result =
        decision instanceof Decision.Adopt adopt
            ? turns.run(
                request.uid(),
                () -> workers.executeBlocking(() -> mover.move(request, adopt, doubt, id), false))
            : Future.succeededFuture(
                new Done(inTime(request, decision, id), doubt, Optional.empty()));
    return result.compose(it ->
        givenUp.contains(request)
            ? Future.failedFuture("the login is recorded as failed already")
            : Future.succeededFuture(it));
  }

  /** For a decision that moves nothing. After the deadline the module has applied its own. */
  private Decided inTime(AdoptionRequested request, Decision decision, String id) {
    if (!isLogin(request) || !request.deadline().passed()) {
      return unmoved(decision, id);
    }
    meters.late.increment();
    return new LoginOutcome.Failed(id, "the time for this session ran out before it was decided");
  }

  /** For a decision that moves nothing. */
  static Decided unmoved(Decision decision, String id) {
    return switch (decision) {
      case Decision.Allow allow -> new LoginOutcome.Allowed(id, allow.reason());
      case Decision.Deny(var reason, String message) ->
          new LoginOutcome.Denied(id, reason, message);
      case Decision.StepAside aside -> new LoginOutcome.StepAside(id, aside.reason());
      case Decision.Unenforced only -> new LoginOutcome.StepAside(id, only.reason());
      case Decision.Adopt _, Decision.Wait _, Decision.AskCaller _, Decision.Offer _ ->
          throw new IllegalArgumentException(decision + " is a decision that moves a session");
    };
  }

  private String nextId() {
    sequence++;
    return idPrefix + Long.toString(sequence, Character.MAX_RADIX);
  }

  private static Optional<Decision> would(Decision decision) {
    return decision instanceof Decision.Unenforced(Decision would)
        ? Optional.of(would)
        : Optional.empty();
  }

  private void record(AdoptionRequested request, Done done, Optional<Decision> would) {
    if (isLogin(request)) {
      recorder.record(adoption(request, done, would), request.process().ref());
    }
  }

  private static boolean isLogin(AdoptionRequested request) {
    return request.phase() == Phase.ACCOUNT || request.phase() == Phase.OPEN_SESSION;
  }

  private static Adoption adoption(AdoptionRequested request, Done done, Optional<Decision> would) {
    return new Adoption(
        done.outcome().adoptionId(),
        request.uid(),
        request.user(),
        request.service(),
        request.remoteHost(),
        request.phase(),
        done.outcome().outcome(),
        done.step(),
        done.outcome().reason(),
        done.detail(),
        request.connection(),
        Clock.systemUTC().instant(),
        Duration.ofNanos(System.nanoTime() - request.receivedNanos()),
        would);
  }
}
