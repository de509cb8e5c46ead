package dev.rollcall.wire.pace;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One timer for all repeated work without an exact time, so that an idle process wakes once for all
 * of it. Its timer ends with its Vert.x.
 */
public final class SharedTimer {
  private final Vertx vertx;
  private final Duration every;
  private final List<Repeated> repeated = new CopyOnWriteArrayList<>();

  /** Begins to beat, at the moments of {@link AlignedPeriod}. */
  public SharedTimer(Vertx vertx, Duration every) {
    this.vertx = vertx;
    this.every = every;
    long first = Math.max(1, AlignedPeriod.untilNext(every).toMillis());
    vertx.setPeriodic(first, every.toMillis(), _ -> repeated.forEach(Repeated::beat));
  }

  /**
   * Repeats a task at this beat, at the last one that is not later than what is asked for; what is
   * asked for more often than the beat gets a timer of its own. The first time comes within what is
   * asked for. Runs on the caller's context.
   *
   * @return ends it
   */
  public Runnable repeat(Duration asked, Runnable task) {
    long beats = asked.dividedBy(every);
    if (beats == 0) {
      long timer = vertx.setPeriodic(asked.toMillis(), _ -> task.run());
      return () -> vertx.cancelTimer(timer);
    }
    var one = new Repeated(vertx.getOrCreateContext(), beats, task);
    repeated.add(one);
    return () -> {
      one.over = true;
      repeated.remove(one);
    };
  }

  private static final class Repeated {
    private final Context context;
    private final long everyBeats;
    private final Runnable task;
    private long beats;
    private volatile boolean over;

    Repeated(Context context, long everyBeats, Runnable task) {
      this.context = context;
      this.everyBeats = everyBeats;
      this.task = task;
    }

    /** On the beat's own context, always. */
    void beat() {
      beats++;
      if (beats % everyBeats == 0) {
        context.runOnContext(_ -> {
          if (!over) {
            task.run();
          }
        });
      }
    }
  }
}
