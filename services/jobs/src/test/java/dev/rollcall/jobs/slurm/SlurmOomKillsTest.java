package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.MemoryDetails;
import dev.rollcall.model.usage.Usage;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.model.usage.UsageRecord.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SlurmOomKillsTest {
  private static final JobId JOB = new JobId(42);

  private final SlurmOomKills kills = new SlurmOomKills();

  private static UsageRecord record(Optional<StepId> step, long oomKills) {
    OptionalLong no = OptionalLong.empty();
    Optional<Duration> none = Optional.empty();
    return new UsageRecord(
        step.isEmpty() ? Kind.JOB : Kind.STEP,
        JOB,
        step,
        no,
        1_001,
        Instant.EPOCH,
        Optional.empty(),
        new Usage(
            none,
            none,
            no,
            no,
            no,
            no,
            no,
            no,
            OptionalLong.of(oomKills),
            no,
            Optional.empty(),
            MemoryDetails.NONE));
  }

  /** What a look tells, by its step. */
  private Map<String, Long> look(long job, Map<Integer, Long> steps) {
    List<UsageRecord> records = new ArrayList<>(List.of(record(Optional.empty(), job)));
    steps.forEach((step, its) -> records.add(record(Optional.of(StepId.of(step)), its)));
    Map<String, Long> told = new TreeMap<>();
    kills.look(JOB, records).forEach(each -> told.put(each.step().toString(), each.times()));
    return told;
  }

  /** As v2 counts: in all cgroups above. */
  @Test
  void whereTheJobCountsTheKillsOfItsStepsEachIsToldOnce() {
    assertEquals(Map.of(), look(0, Map.of(0, 0L)));
    assertEquals(Map.of("42.0", 2L), look(2, Map.of(0, 2L)));
    assertEquals(Map.of(), look(2, Map.of(0, 2L)));
    assertEquals(Map.of("42.1", 1L), look(3, Map.of(1, 1L)));
    assertEquals(Map.of("42.extern", 4L), look(7, Map.of()), "of a step that came and went");
    assertEquals(7, kills.total());
  }

  /** As v1 counts: in place, so that the job's sum is less when a step is gone. */
  @Test
  void whereAStepTakesItsKillsAwayTheyStayCounted() {
    assertEquals(Map.of("42.0", 2L), look(2, Map.of(0, 2L)));
    assertEquals(Map.of("42.1", 1L), look(1, Map.of(1, 1L)));
    assertEquals(Map.of("42.1", 1L), look(2, Map.of(1, 2L)));
    assertEquals(4, kills.total());
  }

  @Test
  void whatAJobFromBeforeTheAgentCountedIsNotTold() {
    kills.beganBefore();
    assertEquals(List.of(), kills.look(JOB, List.of()), "its cgroup is not known yet");
    assertEquals(Map.of(), look(2, Map.of(0, 2L)));
    assertEquals(Map.of("42.0", 1L), look(3, Map.of(0, 3L)));
  }
}
