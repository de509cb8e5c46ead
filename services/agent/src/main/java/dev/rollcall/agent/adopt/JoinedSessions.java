package dev.rollcall.agent.adopt;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.LoginTaken;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.RecordedLogin;
import dev.rollcall.model.JobStep;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.JoinedSession;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.Optional;

/**
 * Records logins whose processes the PAM module moved. Each id is published once, and a login that
 * has two records by its first. On {@link AdoptVerticle}'s event loop.
 */
final class JoinedSessions {
  private static final System.Logger LOG = System.getLogger(JoinedSessions.class.getName());

  private final Jobs jobs;
  private final WorkerExecutor joiners;
  private final RecentAdoptions recent;
  private final Recording recording;
  private final Duration grace;

  /**
   * @param joiners where the provider of the jobs hears of them, which may block
   * @param grace how long after its account phase a login's session phase may come
   */
  JoinedSessions(
      Jobs jobs,
      WorkerExecutor joiners,
      RecentAdoptions recent,
      Recording recording,
      Duration grace) {
    this.jobs = jobs;
    this.joiners = joiners;
    this.recent = recent;
    this.recording = recording;
    this.grace = grace;
  }

  LoginTaken take(RecordedLogin login) {
    Adoption adoption = login.adoption();
    if (recent.has(adoption.id())) {
      return LoginTaken.KNOWN;
    }
    Optional<String> earlier =
        adoption.phase() == Phase.OPEN_SESSION
            ? recent.sameLogin(adoption, grace)
            : Optional.empty();
    if (earlier.isPresent()) {
      recent.asksAgain(earlier.get(), login.process());
      if (!login.published()) {
        // With keyboard-interactive this process is the session, and that of the record before is
        // gone.
        var _ = joined(login);
      }
      return LoginTaken.REPEATED;
    }
    if (login.published()) {
      recent.add(adoption, login.process());
      return LoginTaken.KNOWN;
    }
    recording.remember(adoption, login.process());
    joined(login)
        .map(step -> step.map(adoption::in).orElse(adoption))
        .onSuccess(known -> {
          recent.complete(adoption, known);
          recording.publish(known);
        });
    return LoginTaken.PUBLISHED;
  }

  /** The step as the provider of the jobs knows it. */
  private Future<Optional<JobStep>> joined(RecordedLogin login) {
    return login
        .adoption()
        .job()
        .map(step ->
            joiners
                .executeBlocking(
                    () ->
                        jobs.joined(
                            new JoinedSession(
                                step.job(),
                                login.process(),
                                login.hierarchy(),
                                login.cgroup(),
                                login.adoption().decidedAt())),
                    false)
                .otherwise(cause -> {
                  LOG.log(
                      WARNING,
                      "job {0} did not take in session {1}, which the PAM module moved: {2}",
                      step.job(),
                      login.adoption().id(),
                      cause.toString());
                  return Optional.<JobStep>empty();
                }))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }
}
