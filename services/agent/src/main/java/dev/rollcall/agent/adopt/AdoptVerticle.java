package dev.rollcall.agent.adopt;

import static java.util.Objects.requireNonNull;

import dev.rollcall.agent.adopt.CarryingOut.Result;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionDecided;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.CarriedOut;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Decision;
import dev.rollcall.port.Jobs;
import dev.rollcall.wire.metrics.Exemplars;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Carries decisions out, and tells what came of them. */
public final class AdoptVerticle extends VerticleBase {
  /** So long after the last login all sessions are told: log, audit, metrics, watchers. */
  public static final Duration TOLD_AFTER = Afterwards.LULL;

  private static final int REMEMBERED = 1_024;

  /** In place of an id: nothing is told of what is practised. */
  private static final String PRACTICE = "practice";

  private final Bus bus;
  private final Jobs jobs;
  private final Runnable expectMove;
  private final CarryingOut carryingOut;
  private final AdoptMeters meters;
  private final RecentAdoptions recent = new RecentAdoptions(REMEMBERED);
  private final String idPrefix;
  private final WorkerExecutor joiners;
  private final Duration loginGrace;
  private @Nullable Recording recording;
  private long sequence;

  /**
   * @param expectMove makes the kernel ready for a move that is about to come; returns at once
   * @param rules what sessions get of their jobs
   * @param workers where processes are moved
   * @param joiners where the jobs hear of sessions that the PAM module moved
   * @param loginGrace sshd's LoginGraceTime
   * @param epoch of this run, which makes adoption ids unique on the node
   * @param exemplars what names decisions beside their counts
   */
  public AdoptVerticle(
      Bus bus,
      Jobs jobs,
      Runnable expectMove,
      SessionRules rules,
      WorkerExecutor workers,
      WorkerExecutor joiners,
      Duration loginGrace,
      long epoch,
      MeterRegistry registry,
      Exemplars exemplars) {
    this.bus = bus;
    this.jobs = jobs;
    this.expectMove = expectMove;
    this.joiners = joiners;
    this.loginGrace = loginGrace;
    this.meters = new AdoptMeters(registry, exemplars);
    this.carryingOut = new CarryingOut(jobs, new Answers(rules), workers, meters);
    this.idPrefix = Long.toString(epoch, Character.MAX_RADIX) + "-";
  }

  @Override
  public Future<?> start() {
    var recorder = new Recording(bus, recent, new Afterwards(vertx, System::nanoTime), meters);
    recording = recorder;
    var joined = new JoinedSessions(jobs, joiners, recent, recorder, loginGrace);
    bus.answer(Queries.ADOPTION_RECORDED, login -> Future.succeededFuture(joined.take(login)));
    bus.answer(Queries.ADOPTION_DECIDED, this::carryOut);
    bus.hear(Topics.LOGIN_REFUSED, recorder::refused);
    bus.hear(Topics.CALL_ANNOUNCED, _ -> expectMove.run());
    bus.hear(Topics.CALLS_ARRIVED, _ -> loginMayFollow());
    bus.answer(Queries.ADOPTION_RECENT, question -> Future.succeededFuture(recent.find(question)));
    bus.answer(Queries.ADOPTIONS_LISTED, question -> Future.succeededFuture(recent.list(question)));
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    recording().finish();
    return Future.succeededFuture();
  }

  private Future<CarriedOut> carryOut(AdoptionDecided decided) {
    boolean practice = decided.request().phase() == Phase.WARM_UP;
    String id = decided.adoptionId().orElseGet(practice ? () -> PRACTICE : this::nextId);
    return carryingOut
        .carryOut(decided, id)
        .map(result ->
            switch (result) {
              case Result.NotOpen(String reason) -> new CarriedOut.JobNotOpen(reason);
              case Result.Ended ended -> {
                if (decided.adoptionId().isEmpty()) {
                  record(decided, ended, id);
                } else {
                  recent.asksAgain(id, decided.request().process().ref());
                }
                yield new CarriedOut.Done(ended.answer());
              }
            });
  }

  /** A login node is called all day, and has no jobs. */
  private void loginMayFollow() {
    if (!jobs.list().isEmpty()) {
      expectMove.run();
    }
  }

  private String nextId() {
    sequence++;
    return idPrefix + Long.toString(sequence, Character.MAX_RADIX);
  }

  private void record(AdoptionDecided decided, Result.Ended ended, String id) {
    if (decided.request().phase() == Phase.WARM_UP) {
      return;
    }
    Instant now = Clock.systemUTC().instant();
    var took = Duration.ofNanos(System.nanoTime() - decided.request().receivedNanos());
    Adoption adoption = adoption(id, decided, ended, now, took);
    recording().record(adoption, decided.request().process().ref());
  }

  private Recording recording() {
    return requireNonNull(recording, "a session before the start");
  }

  private static Adoption adoption(
      String id, AdoptionDecided decided, Result.Ended ended, Instant decidedAt, Duration took) {
    AdoptionRequested request = decided.request();
    return new Adoption(
        id,
        request.uid(),
        request.user(),
        request.service(),
        request.remoteHost(),
        request.phase(),
        ended.answer().outcome(),
        ended.job(),
        ended.reason(),
        ended.doubt(),
        request.connection(),
        decidedAt,
        took,
        decided.decision() instanceof Decision.Unenforced(Decision would)
            ? Optional.of(would)
            : Optional.empty());
  }
}
