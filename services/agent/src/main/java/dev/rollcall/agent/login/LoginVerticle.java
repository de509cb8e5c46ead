package dev.rollcall.agent.login;

import static java.util.Objects.requireNonNull;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.ChoiceResult;
import dev.rollcall.agent.event.JobChosen;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.login.adopt.Adopter;
import dev.rollcall.agent.login.adopt.AdoptionHistory;
import dev.rollcall.agent.login.adopt.AdoptionMeters;
import dev.rollcall.agent.login.adopt.AdoptionRecorder;
import dev.rollcall.agent.login.adopt.IdleWork;
import dev.rollcall.agent.login.adopt.OpenSessions;
import dev.rollcall.agent.login.adopt.SessionMover;
import dev.rollcall.agent.login.adopt.SessionRules;
import dev.rollcall.agent.login.adopt.UserNamespaceSessions;
import dev.rollcall.agent.login.adopt.UserTurns;
import dev.rollcall.agent.login.caller.PendingCallers;
import dev.rollcall.agent.login.decide.AuditOnly;
import dev.rollcall.agent.login.decide.AuditOnlyCheck;
import dev.rollcall.agent.login.decide.CallerLookup;
import dev.rollcall.agent.login.decide.DecidedLogins;
import dev.rollcall.agent.login.decide.DecisionMeters;
import dev.rollcall.agent.login.decide.DecisionPreview;
import dev.rollcall.agent.login.decide.JobChoices;
import dev.rollcall.agent.login.decide.JobStartWaits;
import dev.rollcall.agent.login.decide.LoginDecision;
import dev.rollcall.agent.login.decide.LoginMemory;
import dev.rollcall.agent.login.file.LoginFileWriter;
import dev.rollcall.agent.login.log.LoginLogWriter;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Jobs;
import dev.rollcall.wire.metrics.Exemplars;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers and records logins, and keeps the files by which the PAM module decides logins without
 * the agent. Everything of it is on one event loop.
 */
public final class LoginVerticle extends VerticleBase {
  /** So long after the last login every login is published. */
  public static final Duration PUBLISHED_AFTER = IdleWork.IDLE;

  private static final int REMEMBERED = 1_024;

  /** At once: each may wait for the job's daemon. */
  private static final int MOST_REPORTS_OF_A_USER = 2;

  /** At once, for callers on this node: others' go on. */
  private static final int MOST_SEARCHES_OF_A_USER = 1;

  /**
   * What holds on this node.
   *
   * @param epoch of this run, which makes adoption ids unique on the node
   * @param log where logins that the agent answers are recorded
   * @param loginGrace sshd's LoginGraceTime
   * @param isOwn whether an address is this node's
   * @param users whether logins of users may take processes out of their other open jobs
   * @param sessions what sessions get of their jobs
   * @param inUserNamespaces of sessions of jobs that have a user namespace
   * @param auditOnly whose logins are decided and recorded only
   */
  public record Site(
      long epoch,
      LoginLogWriter log,
      Duration loginGrace,
      Predicate<InetAddress> isOwn,
      Jobs.From users,
      SessionRules sessions,
      UserNamespaceSessions inUserNamespaces,
      AuditOnly auditOnly) {}

  /**
   * The threads for what may block.
   *
   * @param movers move processes and open namespaces
   * @param joiners inform the provider of the jobs of sessions that the PAM module moved
   * @param auditOnly ask for a user's groups, for logins
   * @param previews the same for users' questions, which keep no login waiting
   */
  public record Workers(
      WorkerExecutor movers,
      WorkerExecutor joiners,
      WorkerExecutor auditOnly,
      WorkerExecutor previews) {}

  private final Bus bus;
  private final Jobs jobs;
  private final LoginFileWriter files;
  private final Runnable expectMove;
  private final Site site;
  private final Workers workers;
  private final MeterRegistry registry;
  private final Exemplars exemplars;
  private @Nullable AdoptionRecorder recorder;

  /**
   * @param expectMove makes the kernel ready for a move that is about to come; returns at once
   * @param exemplars what names decisions beside their counts
   */
  public LoginVerticle(
      Bus bus,
      Jobs jobs,
      LoginFileWriter files,
      Runnable expectMove,
      Site site,
      Workers workers,
      MeterRegistry registry,
      Exemplars exemplars) {
    this.bus = bus;
    this.jobs = jobs;
    this.files = files;
    this.expectMove = expectMove;
    this.site = site;
    this.workers = workers;
    this.registry = registry;
    this.exemplars = exemplars;
  }

  @Override
  public Future<?> start() {
    var open = new OpenSessions(this::isInJob, registry);
    var history = new AdoptionHistory(REMEMBERED, open::add);
    var adoptionMeters = new AdoptionMeters(registry, exemplars);
    var recording =
        new AdoptionRecorder(
            bus, site.log(), history, new IdleWork(vertx, System::nanoTime), adoptionMeters);
    recorder = recording;
    var mover =
        new SessionMover(
            jobs, site.users(), site.sessions(), site.inUserNamespaces(), adoptionMeters);
    var adopter = new Adopter(mover, workers.movers(), recording, adoptionMeters, site.epoch());
    var pending = new PendingCallers(site.loginGrace(), site.isOwn(), registry, files);
    var choices = new JobChoices(jobs);
    var decided = new DecidedLogins(new LoginMemory<>(site.loginGrace(), System::nanoTime));
    var meters = new DecisionMeters(registry, site.auditOnly());
    var waits = new JobStartWaits(vertx);
    var decision =
        new LoginDecision(
            bus,
            jobs,
            adopter,
            new CallerLookup(
                bus,
                pending,
                new Proc(Path.of("/proc"))::sessionAge,
                new UserTurns(MOST_SEARCHES_OF_A_USER),
                site.isOwn(),
                meters),
            choices,
            decided,
            waits,
            new LoginMemory<>(site.loginGrace(), System::nanoTime),
            new AuditOnlyCheck(site.auditOnly(), workers.auditOnly()),
            meters);
    var preview = new DecisionPreview(jobs, choices, site.auditOnly(), workers.previews());
    answer(new LoginService(decision, adopter, registry), preview);
    bus.answer(Queries.JOB_CHOSEN, choice -> chosen(choices, choice));
    var logins =
        new ModuleLogins(
            jobs,
            workers.joiners(),
            new UserTurns(MOST_REPORTS_OF_A_USER),
            pending,
            decided,
            history,
            recording,
            meters,
            site.loginGrace());
    bus.answer(
        Queries.LOGINS_RECORDED,
        read -> {
          read.forEach(login -> login.options().ifPresent(preview::saw));
          return Future.succeededFuture(logins.record(read));
        });
    bus.answer(Queries.ADOPTIONS_LISTED, wanted -> Future.succeededFuture(history.list(wanted)));
    followCallers(pending);
    bus.hear(Topics.JOB_CHANGED, choices::changed);
    bus.hear(Topics.JOB_CHANGED, waits::changed);
    return files.start().onSuccess(choices::recall);
  }

  private void answer(LoginService logins, DecisionPreview preview) {
    bus.answer(
        Queries.ADOPTION_REQUESTED,
        request -> {
          preview.saw(request);
          return logins.answer(request);
        });
    bus.answer(Queries.ADOPTION_PREDICTED, preview::answer);
  }

  private void followCallers(PendingCallers pending) {
    bus.hear(
        Topics.CALL_ANNOUNCED,
        call -> {
          pending.announce(call);
          expectMove.run();
        });
    bus.hear(Topics.ANNOUNCEMENT_WITHDRAWN, pending::withdraw);
    bus.hear(Topics.SOURCE_LOST, pending::lose);
    bus.hear(
        Topics.CALLS_ARRIVED,
        _ -> {
          // A login node is called all day, and has no jobs.
          if (!jobs.list().isEmpty()) {
            expectMove.run();
          }
        });
  }

  private boolean isInJob(ProcessRef process) {
    return jobs.membershipOf(process).flatMap(Membership::jobStep).isPresent();
  }

  /** The files have the choice before its user is answered. */
  private Future<ChoiceResult> chosen(JobChoices choices, JobChosen choice) {
    ChoiceResult result = choices.choose(choice);
    return result instanceof ChoiceResult.NoSuchJob
        ? Future.succeededFuture(result)
        : files.writeChoice(choice).transform(_ -> Future.succeededFuture(result));
  }

  @Override
  public Future<?> stop() throws IOException {
    requireNonNull(recorder, "not started").finish();
    files.stop();
    return Future.succeededFuture();
  }
}
