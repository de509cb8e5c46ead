package dev.rollcall.agent.sweep;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;

/**
 * Sweeps at a steady pace, never two sweeps at once. A sweep that fails is logged, and the next one
 * comes all the same.
 */
public final class SweepVerticle extends VerticleBase {
  private static final System.Logger LOG = System.getLogger(SweepVerticle.class.getName());

  private final Runnable sweep;
  private final WorkerExecutor worker;
  private final Duration pause;

  /**
   * @param sweep may block
   * @param pause between the end of one sweep and the next
   */
  public SweepVerticle(Runnable sweep, WorkerExecutor worker, Duration pause) {
    this.sweep = sweep;
    this.worker = worker;
    this.pause = pause;
  }

  @Override
  public Future<?> start() {
    later();
    return Future.succeededFuture();
  }

  private void later() {
    vertx.setTimer(pause.toMillis(), _ -> now());
  }

  private void now() {
    worker
        .executeBlocking(() -> {
          sweep.run();
          return true;
        })
        .onFailure(
            cause -> LOG.log(System.Logger.Level.WARNING, "a sweep of the node failed", cause))
        .onComplete(_ -> later());
  }
}
