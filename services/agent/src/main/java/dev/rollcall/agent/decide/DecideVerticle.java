package dev.rollcall.agent.decide;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.ChoiceResult;
import dev.rollcall.agent.event.JobChosen;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.port.Jobs;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Predicate;

/** Decides what becomes of sessions. */
public final class DecideVerticle extends VerticleBase {
  private final Bus bus;
  private final Jobs jobs;
  private final Duration loginGrace;
  private final Predicate<InetAddress> isOwn;
  private final AuditOnly auditOnly;
  private final WorkerExecutor workers;
  private final WorkerExecutor predictors;
  private final MeterRegistry registry;

  /**
   * @param workers where auditOnly may block for a login
   * @param predictors the same for those who only ask, who keep no login waiting
   * @param loginGrace sshd's LoginGraceTime: how long a decision is kept for the session phase
   */
  public DecideVerticle(
      Bus bus,
      Jobs jobs,
      Duration loginGrace,
      Predicate<InetAddress> isOwn,
      AuditOnly auditOnly,
      WorkerExecutor workers,
      WorkerExecutor predictors,
      MeterRegistry registry) {
    this.bus = bus;
    this.jobs = jobs;
    this.loginGrace = loginGrace;
    this.isOwn = isOwn;
    this.auditOnly = auditOnly;
    this.workers = workers;
    this.predictors = predictors;
    this.registry = registry;
  }

  @Override
  public Future<?> start() {
    var meters = new DecideMeters(registry, auditOnly);
    var choices = new Choices(jobs);
    var waits = new JobWaits(vertx);
    var held = new KeptForLogins<Deciding.Held>(loginGrace, System::nanoTime);
    var deciding =
        new Deciding(
            bus,
            jobs,
            new Callers(bus, isOwn, meters),
            choices,
            waits,
            held,
            new KeptForLogins<>(loginGrace, System::nanoTime),
            new Enforcing(auditOnly, workers),
            meters);
    var predicting = new Predicting(jobs, choices, auditOnly, predictors);
    bus.hear(Topics.JOB_CHANGED, choices::changed);
    bus.hear(Topics.JOB_CHANGED, waits::changed);
    bus.answer(Queries.JOB_CHOSEN, choice -> chosen(choices, choice));
    bus.answer(
        Queries.ADOPTION_REQUESTED,
        request -> {
          predicting.saw(request);
          return deciding.answer(request);
        });
    bus.answer(
        Queries.LOGINS_RECORDED, new DecidedByModule(bus, held, Clock.systemUTC(), meters)::take);
    bus.answer(Queries.ADOPTION_PREDICTED, predicting::answer);
    return Future.succeededFuture();
  }

  /** The files of logins have it when the user hears of it. Where nobody writes any, it counts. */
  private Future<ChoiceResult> chosen(Choices choices, JobChosen choice) {
    ChoiceResult result = choices.choose(choice);
    return result instanceof ChoiceResult.NoSuchJob
        ? Future.succeededFuture(result)
        : bus.ask(Queries.CHOICE_WRITTEN, choice, Bus.AT_ONCE)
            .transform(_ -> Future.succeededFuture(result));
  }
}
