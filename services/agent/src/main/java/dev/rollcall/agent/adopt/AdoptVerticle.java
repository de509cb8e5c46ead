package dev.rollcall.agent.adopt;

import dev.rollcall.agent.adopt.CarryingOut.Result;
import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionDecided;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.CarriedOut;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topic;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.port.Jobs;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Clock;
import java.time.Duration;

/** Carries decisions out, and tells what came of them. */
public final class AdoptVerticle extends VerticleBase {
  private static final System.Logger LOG = System.getLogger(AdoptVerticle.class.getName());
  private static final int REMEMBERED = 1_024;

  private final Bus bus;
  private final Runnable expectMove;
  private final CarryingOut carryingOut;
  private final AdoptMeters meters;
  private final RecentAdoptions recent = new RecentAdoptions(REMEMBERED);
  private final String idPrefix;
  private long sequence;

  /**
   * @param expectMove makes the kernel ready for a move that is about to come; returns at once
   * @param rules what sessions get of their jobs
   * @param workers where processes are moved
   * @param epoch of this run, which makes adoption ids unique on the node
   */
  public AdoptVerticle(
      Bus bus,
      Jobs jobs,
      Runnable expectMove,
      SessionRules rules,
      WorkerExecutor workers,
      long epoch,
      MeterRegistry registry) {
    this.bus = bus;
    this.expectMove = expectMove;
    this.meters = new AdoptMeters(registry);
    this.carryingOut = new CarryingOut(jobs, new Answers(rules), workers, meters);
    this.idPrefix = Long.toString(epoch, Character.MAX_RADIX) + "-";
  }

  @Override
  public Future<?> start() {
    bus.answer(Queries.ADOPTION_DECIDED, this::carryOut);
    bus.hear(Topics.CALL_ANNOUNCED, _ -> expectMove.run());
    bus.answer(Queries.ADOPTION_RECENT, question -> Future.succeededFuture(recent.find(question)));
    return Future.succeededFuture();
  }

  private Future<CarriedOut> carryOut(AdoptionDecided decided) {
    String id = decided.adoptionId().orElseGet(this::nextId);
    return carryingOut
        .carryOut(decided, id)
        .map(result ->
            switch (result) {
              case Result.NotOpen(String reason) -> new CarriedOut.JobNotOpen(reason);
              case Result.Ended ended -> {
                if (decided.adoptionId().isEmpty()) {
                  tell(decided, ended, id);
                }
                yield new CarriedOut.Done(ended.answer());
              }
            });
  }

  private String nextId() {
    sequence++;
    return idPrefix + Long.toString(sequence, Character.MAX_RADIX);
  }

  private void tell(AdoptionDecided decided, Result.Ended ended, String id) {
    var request = decided.request();
    var took = Duration.ofNanos(System.nanoTime() - request.receivedNanos());
    var adoption =
        new Adoption(
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
            Clock.systemUTC().instant(),
            took);
    meters.ended(adoption.outcome());
    meters.sessions.record(took);
    recent.add(adoption);
    bus.tell(topic(adoption), adoption);
    LOG.log(
        System.Logger.Level.INFO,
        "session {0} of uid {1}: {2} in {3} ms, {4}{5}{6}",
        id,
        Integer.toString(adoption.uid()),
        adoption.outcome(),
        Long.toString(took.toMillis()),
        adoption.reason().word(),
        adoption.job().map(step -> ", job " + step).orElse(""),
        adoption.doubt().isEmpty() ? "" : ", " + adoption.doubt());
  }

  private static Topic<Adoption> topic(Adoption adoption) {
    return switch (adoption.outcome()) {
      case ADOPTED -> Topics.SESSION_ADOPTED;
      case ALLOWED, STEP_ASIDE -> Topics.SESSION_ALLOWED;
      case DENIED, FAILED -> Topics.SESSION_DENIED;
    };
  }
}
