package dev.rollcall.agent.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportedJobTest {
  private static final long BEGIN = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();
  private static final Job OPEN =
      new Job(new JobId(7), TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.OPEN);
  private static final NodeSelf SELF =
      new NodeSelf(
          "hall",
          new NodeEpoch(new NodeName("n1"), "boot", 1),
          new AnnouncedAddresses(Set::of),
          "0",
          "sock_ops",
          _ -> "alice");

  private final ReportedJob told = new ReportedJob(BEGIN);
  private long now = BEGIN;

  @Test
  void aJobIsDueAtOnce() {
    assertEquals(Duration.ZERO, due());
  }

  @Test
  void aQuietJobIsReadEverMoreSeldom() {
    look(OPEN);
    assertEquals(ReportedJob.CHANGING, due());
    look(OPEN);
    assertEquals(ReportedJob.CHANGING.multipliedBy(2), due());
    look(OPEN);
    look(OPEN);
    assertTrue(due().compareTo(ReportedJob.QUIET) <= 0);
    look(OPEN.in(JobState.CLOSED));
    assertEquals(ReportedJob.CHANGING, due());
  }

  @Test
  void quietJobsAreReadTogether() {
    var other = new ReportedJob(BEGIN);
    for (int i = 0; i < 5; i++) {
      look(OPEN);
      pass(Duration.ofSeconds(1));
      other.read(SELF, OPEN, List.of(), TestNode.NOON, now);
    }
    assertEquals(told.nextNanos(), other.nextNanos());
    pass(due());
    look(OPEN);
    assertEquals(ReportedJob.QUIET, due());
  }

  @Test
  void aPromptedJobIsReadAgainSoonButNotTooSoon() {
    look(OPEN);
    told.prompt(now);
    assertEquals(ReportedJob.SOONEST, due());
    pass(Duration.ofSeconds(1));
    told.prompt(now);
    assertEquals(Duration.ofMillis(-750), due());
  }

  /** What happened after the reader's look, before its report, would be told at the next one. */
  @Test
  void whatHappensDuringALookIsNotMissed() {
    told.look();
    pass(Duration.ofMillis(100));
    told.prompt(now);
    read(OPEN);
    assertEquals(ReportedJob.SOONEST, due());

    assertEquals(1, look(OPEN.in(JobState.CLOSED)).size());
    assertEquals(ReportedJob.AFTER_PROMPT.multipliedBy(2), due());
  }

  /** A session's shell starts after the session was recorded. */
  @Test
  void afterAPromptAJobIsReadSoonAndThenEverMoreSeldom() {
    look(OPEN);
    pass(Duration.ofMinutes(1));
    told.prompt(now);
    assertTrue(due().isNegative() || due().isZero());
    List<Duration> rests = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      look(i == 1 ? OPEN.in(JobState.SUSPENDED) : OPEN);
      rests.add(due());
      pass(due());
    }
    assertEquals(
        List.of(500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000),
        rests.stream().map(rest -> (int) rest.toMillis()).toList());
  }

  @Test
  void aJobThatChangesOftenIsReadEveryTenSecondsAtLeast() {
    look(OPEN);
    look(OPEN);
    look(OPEN.in(JobState.SUSPENDED));
    assertEquals(ReportedJob.CHANGING, due());
    look(OPEN);
    assertEquals(ReportedJob.CHANGING, due());
  }

  @Test
  void aFailedLookIsRepeatedLaterAndSoonAfterAPrompt() {
    told.look();
    told.failed(now);
    assertEquals(ReportedJob.CHANGING, due());
    told.look();
    told.prompt(now);
    told.failed(now);
    assertEquals(ReportedJob.SOONEST, due());
  }

  private List<ConnectRequest> look(Job job) {
    told.look();
    return read(job);
  }

  private List<ConnectRequest> read(Job job) {
    return told.read(SELF, job, List.of(), TestNode.NOON, now);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private Duration due() {
    return Duration.ofNanos(told.nextNanos() - now);
  }
}
