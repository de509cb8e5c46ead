package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.JobId;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Logs ends of jobs that make no progress, with the stacks of their threads, because such an end
 * logs nothing itself. Once a minute for each job.
 */
final class HeldUpEnds {
  private static final System.Logger LOG = System.getLogger(HeldUpEnds.class.getName());

  /** No step of an end takes so long after the grace, unless the kernel holds it. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final int FRAMES = 4;

  private final LongSupplier nanoClock;
  private final Map<JobId, Long> logged = new ConcurrentHashMap<>();

  HeldUpEnds(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Looks at a job that is CLOSING.
   *
   * @return whether its end was logged
   */
  boolean look(NativeJob job) {
    long now = nanoClock.getAsLong();
    logged.values().removeIf(at -> now - at >= LONG.toNanos());
    return job.atWork()
        .filter(it -> job.grace().left().isZero() && now - it.sinceNanos() >= LONG.toNanos())
        .filter(_ -> logged.putIfAbsent(job.id(), now) == null)
        .map(it -> log(job, it, now))
        .orElse(false);
  }

  private static boolean log(NativeJob job, NativeJob.AtWork work, long now) {
    String where =
        Arrays.stream(work.thread().getStackTrace())
            .limit(FRAMES)
            .map(StackTraceElement::toString)
            .collect(Collectors.joining(" < "));
    LOG.log(
        WARNING,
        "the end of job {0} makes no progress for {1} s; thread {2} is at {3}",
        job.id(),
        Duration.ofNanos(now - work.sinceNanos()).toSeconds(),
        work.thread().getName(),
        where);
    return true;
  }
}
