package dev.rollcall.agent.gateway;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.model.Call;
import dev.rollcall.model.Connection;
import dev.rollcall.port.Jobs;
import dev.rollcall.wire.pace.SharedTimer;
import dev.rollcall.wire.trace.Tracer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a connection to one gateway. */
public final class GatewayVerticle extends VerticleBase {
  private final Bus bus;
  private final SharedTimer timer;
  private final NodeSelf self;
  private final List<GatewayTarget> gateways;
  private final Jobs jobs;
  private final WorkerExecutor readers;
  private final GatewayConnectionMeters meters;
  private final Tracer tracer;
  private final Announcements announcements;
  private @Nullable GatewayConnection connected;

  /**
   * @param timer what heartbeats go with
   * @param gateways at least one
   * @param readers where jobs' processes are read; one thread keeps them in order
   */
  public GatewayVerticle(
      Bus bus,
      SharedTimer timer,
      NodeSelf self,
      List<GatewayTarget> gateways,
      Jobs jobs,
      WorkerExecutor readers,
      MeterRegistry registry,
      Tracer tracer) {
    this.bus = bus;
    this.timer = timer;
    this.self = self;
    this.gateways = gateways;
    this.jobs = jobs;
    this.readers = readers;
    this.meters = new GatewayConnectionMeters(registry);
    this.tracer = tracer;
    this.announcements = new Announcements(self.epoch());
  }

  @Override
  public Future<?> start() {
    var questions = new RollQuestions(vertx, meters.questions);
    var orders =
        new GatewayOrders(bus, self.epoch().node(), jobs, readers, questions, meters, tracer);
    var facts = new JobFactRequests(vertx, jobs, JobFactRequests.EVERY, meters);
    var telling = new JobReporter(vertx, jobs, readers, self, meters, facts);
    var stage =
        new GatewayConnection(
            vertx, context, bus, timer, self, gateways, questions, orders, telling, meters);
    connected = stage;
    var adoptions = new AdoptionReporter(self.epoch().node(), stage::offer, meters);
    stage.whenItMayKeepUp(adoptions::tellWaiting);
    bus.hear(Topics.CALL_MADE, call -> announce(stage, call));
    bus.hear(Topics.CALL_WITHDRAWN, call -> withdraw(stage, call));
    bus.hear(Topics.CALLS_LOST, stage::lost);
    bus.hear(Topics.JOB_CHANGED, job -> telling.prompt(job.id()));
    bus.hear(Topics.STEP_BEGUN, telling::prompt);
    bus.hear(
        Topics.ADOPTION_RECORDED,
        adoption -> {
          adopted(telling, adoption);
          adoptions.tell(adoption);
        });
    bus.answer(Queries.CALLER_IN_ROLL, stage::ask);
    bus.answer(Queries.GATEWAY_STATE, _ -> Future.succeededFuture(stage.state()));
    stage.start();
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    GatewayConnection stage = connected;
    if (stage != null) {
      stage.stop();
    }
    return Future.succeededFuture();
  }

  private void announce(GatewayConnection stage, Call call) {
    boolean sent = stage.offer(announcements.announcement(call));
    (sent ? meters.announced : meters.withheld).increment();
  }

  private void withdraw(GatewayConnection stage, Connection call) {
    boolean sent = stage.withdraw(announcements.withdrawal(call));
    (sent ? meters.withdrawn : meters.notWithdrawn).increment();
  }

  private static void adopted(JobReporter telling, Adoption adoption) {
    adoption.job().ifPresent(step -> telling.prompt(step.job()));
  }
}
