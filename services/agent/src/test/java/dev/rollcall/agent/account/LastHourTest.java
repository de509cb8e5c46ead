package dev.rollcall.agent.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rollcall.model.JobId;
import dev.rollcall.model.usage.MemoryDetails;
import dev.rollcall.model.usage.Usage;
import dev.rollcall.proto.v1.UsagePoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LastHourTest {
  private static final JobId JOB = new JobId(7);

  private final LastHour hour = new LastHour();

  private static long nanos(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  private static Usage used(long seconds, OptionalLong memory) {
    OptionalLong no = OptionalLong.empty();
    return new Usage(
        Optional.of(Duration.ofSeconds(seconds)),
        Optional.empty(),
        memory,
        no,
        OptionalLong.of(0),
        no,
        OptionalLong.of(3),
        no,
        no,
        no,
        Optional.empty(),
        MemoryDetails.NONE);
  }

  private static Map<JobId, Usage> found(long jobs, long seconds) {
    return LongStream.rangeClosed(1, jobs)
        .mapToObj(JobId::new)
        .collect(
            Collectors.toMap(Function.identity(), _ -> used(seconds, OptionalLong.of(seconds))));
  }

  /** The agent looks each 30 s. */
  @Test
  void aPointAMinuteIsKeptForAnHour() {
    for (long at = 0; at <= 7_200; at += 30) {
      hour.add(Map.of(JOB, used(at, OptionalLong.of(at))), nanos(at));
    }
    List<UsagePoint> points = hour.of(JOB, nanos(7_210));
    assertEquals(61, points.size());
    assertEquals(3_610, points.getFirst().getSecondsAgo());
    assertEquals(3_600, points.getFirst().getUsage().getUserTime().getSeconds());
    assertEquals(10, points.getLast().getSecondsAgo());
    assertEquals(7_200, points.getLast().getUsage().getMemoryNow());
  }

  @Test
  void whatIsNotMeasuredIsAbsent() {
    hour.add(Map.of(JOB, used(1, OptionalLong.empty())), 0);
    var usage = hour.of(JOB, 0).getFirst().getUsage();
    assertFalse(usage.hasMemoryNow() || usage.hasSystemTime() || usage.hasWrittenBytes());
    assertEquals(
        List.of(true, 0L, 3L),
        List.of(usage.hasReadBytes(), usage.getReadBytes(), usage.getProcessesNow()));
  }

  @Test
  void aJobThatEndedAndOneTooManyHaveNone() {
    hour.add(found(300, 1), 0);
    long kept =
        LongStream.rangeClosed(1, 300).filter(id -> !hour.of(new JobId(id), 0).isEmpty()).count();
    assertEquals(256, kept);
    hour.add(found(1, 2), nanos(60));
    assertEquals(List.of(), hour.of(new JobId(2), nanos(60)));
    hour.add(found(2, 3), nanos(120));
    assertEquals(1, hour.of(new JobId(2), nanos(120)).size());
  }
}
