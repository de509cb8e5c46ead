package dev.rollcall.agent.login.decide;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sessions that wait for a job to begin. Not thread-safe. */
public final class JobStartWaits {
  enum End {
    CHANGED,
    TIMED_OUT
  }

  private final Map<JobId, List<Promise<End>>> waiting = new HashMap<>();
  private final Vertx vertx;

  public JobStartWaits(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Completes when the job changes, or when the patience ends. */
  Future<End> forChangeOf(JobId job, Duration patience) {
    if (patience.toMillis() < 1) {
      return Future.succeededFuture(End.TIMED_OUT);
    }
    Promise<End> end = Promise.promise();
    waiting.computeIfAbsent(job, _ -> new ArrayList<>()).add(end);
    long timer = vertx.setTimer(patience.toMillis(), _ -> end.tryComplete(End.TIMED_OUT));
    return end.future().onComplete(_ -> forget(job, end, timer));
  }

  private void forget(JobId job, Promise<End> end, long timer) {
    vertx.cancelTimer(timer);
    waiting.computeIfPresent(
        job,
        (_, ends) -> {
          ends.remove(end);
          return ends.isEmpty() ? null : ends;
        });
  }

  public void changed(Job job) {
    List<Promise<End>> ends = waiting.remove(job.id());
    if (ends != null) {
      List.copyOf(ends).forEach(end -> end.tryComplete(End.CHANGED));
    }
  }
}
