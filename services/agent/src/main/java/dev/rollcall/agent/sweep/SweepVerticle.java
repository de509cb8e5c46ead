package dev.rollcall.agent.sweep;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.wire.pace.SharedTimer;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Runs periodic checks one after the other, at a constant interval. A sweep that fails is logged,
 * and the next one comes all the same.
 */
public final class SweepVerticle extends VerticleBase {
  private static final System.Logger LOG = System.getLogger(SweepVerticle.class.getName());

  private final Bus bus;
  private final Supplier<StageHealth> sweep;
  private final WorkerExecutor worker;
  private final SharedTimer beat;
  private final Duration every;
  private boolean sweeping;

  /**
   * @param sweep may block; what it finds is published
   */
  public SweepVerticle(
      Bus bus,
      Supplier<StageHealth> sweep,
      WorkerExecutor worker,
      SharedTimer beat,
      Duration every) {
    this.bus = bus;
    this.sweep = sweep;
    this.worker = worker;
    this.beat = beat;
    this.every = every;
  }

  @Override
  public Future<?> start() {
    var _ = beat.repeat(every, this::now);
    return Future.succeededFuture();
  }

  private void now() {
    if (sweeping) {
      return;
    }
    sweeping = true;
    worker
        .executeBlocking(sweep::get)
        // Not by the worker: each consumer would wake the event loop once more.
        .onSuccess(health -> bus.tell(Topics.HEALTH_CHANGED, health))
        .onFailure(cause ->
            LOG.log(System.Logger.Level.WARNING, "a periodic check of the node failed", cause))
        .onComplete(_ -> sweeping = false);
  }
}
