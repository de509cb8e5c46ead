package dev.rollcall.agent.account;

import dev.rollcall.model.JobId;
import dev.rollcall.model.usage.Usage;
import dev.rollcall.proto.v1.UsagePoint;
import dev.rollcall.wire.CallerMapper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Keeps what jobs had used at times of the last hour, one a minute: 80 bytes each, 60 of a job, of
 * 256 jobs at most. Thread-safe.
 */
final class LastHour {
  private static final int MOST_JOBS = 256;
  private static final long HOUR = Duration.ofHours(1).toNanos();

  /** The jobs are looked at each half of a minute. */
  private static final long BETWEEN = Duration.ofSeconds(45).toNanos();

  private static final long ABSENT = -1;

  private record Point(
      long nanos, long user, long system, long memory, long read, long written, long processes) {
    static Point of(Usage usage, long nanos) {
      return new Point(
          nanos,
          usage.userTime().map(Duration::toNanos).orElse(ABSENT),
          usage.systemTime().map(Duration::toNanos).orElse(ABSENT),
          usage.memoryNow().orElse(ABSENT),
          usage.readBytes().orElse(ABSENT),
          usage.writtenBytes().orElse(ABSENT),
          usage.processesNow().orElse(ABSENT));
    }

    UsagePoint toProto(long now) {
      var usage = dev.rollcall.proto.v1.Usage.newBuilder();
      put(user, nanos -> usage.setUserTime(CallerMapper.duration(Duration.ofNanos(nanos))));
      put(system, nanos -> usage.setSystemTime(CallerMapper.duration(Duration.ofNanos(nanos))));
      put(memory, usage::setMemoryNow);
      put(read, usage::setReadBytes);
      put(written, usage::setWrittenBytes);
      put(processes, usage::setProcessesNow);
      return UsagePoint.newBuilder()
          .setSecondsAgo((int) Duration.ofNanos(now - nanos).toSeconds())
          .setUsage(usage)
          .build();
    }

    private static void put(long value, LongConsumer to) {
      if (value != ABSENT) {
        to.accept(value);
      }
    }
  }

  private final Map<JobId, Deque<Point>> jobs = new HashMap<>();

  /**
   * @param found all jobs that run
   */
  synchronized void add(Map<JobId, Usage> found, long nanos) {
    jobs.keySet().retainAll(found.keySet());
    found.forEach((job, usage) -> {
      if (jobs.size() < MOST_JOBS || jobs.containsKey(job)) {
        Deque<Point> points = jobs.computeIfAbsent(job, _ -> new ArrayDeque<>());
        if (points.isEmpty() || nanos - points.getLast().nanos >= BETWEEN) {
          points.add(Point.of(usage, nanos));
        }
        points.removeIf(point -> nanos - point.nanos > HOUR);
      }
    });
  }

  /** The oldest first. */
  synchronized List<UsagePoint> of(JobId job, long nanos) {
    return jobs.getOrDefault(job, new ArrayDeque<>()).stream()
        .map(point -> point.toProto(nanos))
        .toList();
  }
}
