package dev.rollcall.agent.login;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.function.Predicate.not;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.agent.login.adopt.AdoptionHistory;
import dev.rollcall.agent.login.adopt.AdoptionRecorder;
import dev.rollcall.agent.login.adopt.UserTurns;
import dev.rollcall.agent.login.caller.PendingCallers;
import dev.rollcall.agent.login.decide.DecidedLogins;
import dev.rollcall.agent.login.decide.DecisionMeters;
import dev.rollcall.agent.login.decide.DecisionMeters.By;
import dev.rollcall.model.AdoptPolicy;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Reason;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.JoinedSession;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes in the logins of the log: those that the PAM module carried out, as if the agent had, and
 * those that an earlier agent answered. Each id is published once, a login of the module that has
 * two records by its first, and a later question of the same login is answered as its repetition.
 * On the event loop of logins.
 *
 * @param joiners where the provider of the jobs is informed of sessions, which may block
 * @param turns of users at the joiners
 * @param grace how long after its account phase a login's session phase may come
 */
record ModuleLogins(
    Jobs jobs,
    WorkerExecutor joiners,
    UserTurns turns,
    PendingCallers pending,
    DecidedLogins decided,
    AdoptionHistory history,
    AdoptionRecorder recorder,
    DecisionMeters meters,
    Duration grace) {
  private static final System.Logger LOG = System.getLogger(ModuleLogins.class.getName());

  private static final Set<Reason> GUESSES =
      Set.of(Reason.NEWEST_JOB, Reason.CALLER_ELSEWHERE, Reason.CALLER_UNKNOWN);

  /** Records logins, the oldest first, and returns the adoption ids of those that it publishes. */
  Set<String> record(List<RecordedLogin> logins) {
    Set<String> published = new HashSet<>();
    for (RecordedLogin login : logins) {
      if (record(login)) {
        published.add(login.adoption().id());
      }
    }
    return Set.copyOf(published);
  }

  /** Whether it is published, and its audit line follows. */
  private boolean record(RecordedLogin login) {
    Adoption adoption = login.adoption();
    boolean known = history.has(adoption.id());
    if (login.answered() && known) {
      return again(login);
    }
    if (!known && !login.answered() && isRepetition(login)) {
      return false;
    }
    boolean publish = !known && !login.published();
    if (publish) {
      publish(login);
    } else if (!known) {
      history.add(adoption, login.process());
    }
    decided.keep(adoption, login.process(), Clock.systemUTC().instant());
    return publish;
  }

  /** A login that an agent answered has a further record if a later phase changed it. */
  private boolean again(RecordedLogin login) {
    if (login.published()) {
      history.replace(login.adoption());
      history.asksAgain(login.adoption().id(), login.process());
    }
    return !login.published();
  }

  /** Whether an earlier phase of the same login is recorded. */
  private boolean isRepetition(RecordedLogin login) {
    Optional<String> earlier =
        login.adoption().phase() == Phase.OPEN_SESSION
            ? history.sameLogin(login.adoption(), grace)
            : Optional.empty();
    earlier.ifPresent(id -> {
      history.asksAgain(id, login.process());
      if (!login.published()) {
        // With keyboard-interactive this process is the session, and the one before is gone.
        var _ = joined(login);
      }
    });
    return earlier.isPresent();
  }

  private void publish(RecordedLogin login) {
    Adoption adoption = doubting(login, arrived(login.adoption()));
    recorder.remember(adoption, login.process());
    login.move().ifPresent(recorder::moved);
    joined(login)
        .map(step -> step.map(adoption::in).orElse(adoption))
        .onSuccess(known -> {
          history.complete(adoption, known);
          recorder.publish(known);
        });
    meters.decided(adoption.reason(), byFiles(login) ? By.FILES : By.AGENT);
  }

  private Optional<Caller> arrived(Adoption adoption) {
    return adoption.connection().flatMap(connection -> pending.arrived(connection.flipped()));
  }

  private static boolean byFiles(RecordedLogin login) {
    return !login.answered() && login.move().isEmpty();
  }

  /** The module knows that the caller decides nothing, but not why. */
  private Adoption doubting(RecordedLogin login, Optional<Caller> caller) {
    Adoption adoption = login.adoption();
    if (!byFiles(login) || !GUESSES.contains(adoption.reason())) {
      return adoption;
    }
    Optional<CallerAnswer> found = caller.map(CallerAnswer.Found::new);
    var session =
        new AdoptPolicy.Session(
            adoption.service(), adoption.uid(), jobs.list(), Optional.empty(), found);
    return adoption.doubting(
        Stream.of(adoption.doubt(), AdoptPolicy.doubt(session))
            .filter(not(String::isEmpty))
            .collect(Collectors.joining("; ")));
  }

  /** The step as the provider of the jobs knows it. */
  private Future<Optional<JobStep>> joined(RecordedLogin login) {
    return login
        .adoption()
        .job()
        .filter(_ -> !login.answered())
        .map(step ->
            turns
                .run(login.adoption().uid(), () -> report(login, step))
                .otherwise(cause -> {
                  LOG.log(
                      WARNING,
                      "job {0} did not add session {1}, which the PAM module moved: {2}",
                      step.job(),
                      login.adoption().id(),
                      cause.toString());
                  return Optional.<JobStep>empty();
                }))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }

  private Future<Optional<JobStep>> report(RecordedLogin login, JobStep step) {
    return joiners.executeBlocking(
        () ->
            jobs.joined(
                new JoinedSession(
                    step.job(),
                    login.process(),
                    login.hierarchy(),
                    login.cgroup(),
                    login.adoption().decidedAt())),
        false);
  }
}
