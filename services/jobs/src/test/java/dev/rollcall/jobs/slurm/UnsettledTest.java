package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnsettledTest {
  private static final JobId JOB = new JobId(42);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000);
  private final Unsettled unsettled = new Unsettled(now::get);

  private void passes(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void aSettledNodeSleepsWithoutATime() {
    assertEquals(Optional.empty(), unsettled.next());
    unsettled.add(JOB);
    assertTrue(unsettled.due(JOB));
    unsettled.settled(JOB);
    assertFalse(unsettled.due(JOB));
    assertEquals(Optional.empty(), unsettled.next());
  }

  @Test
  void aJobIsLookedAtEverLaterAndNeverForgotten() {
    unsettled.add(JOB);
    Duration pause = Duration.ofMillis(10);
    for (int turn = 0; turn < 20; turn++) {
      assertTrue(unsettled.due(JOB));
      unsettled.later(JOB);
      assertFalse(unsettled.due(JOB));
      assertEquals(Optional.of(pause), unsettled.next());
      passes(pause);
      Duration next = pause.multipliedBy(2);
      pause = next.toSeconds() < 15 ? next : Duration.ofSeconds(15);
    }
  }

  @Test
  void aJobThatNeedNotBeFoundOutIsLookedAtForAWhile() {
    unsettled.add(JOB);
    int looks = 0;
    while (unsettled.due(JOB)) {
      looks++;
      unsettled.laterForAWhile(JOB);
      passes(unsettled.next().orElse(Duration.ZERO));
    }
    assertEquals(12, looks);
    assertEquals(Optional.empty(), unsettled.next());
  }

  @Test
  void whatHappensMakesItDueAtOnce() {
    unsettled.add(JOB);
    unsettled.later(JOB);
    unsettled.later(JOB);
    unsettled.add(JOB);
    assertTrue(unsettled.due(JOB));
    assertEquals(Optional.of(Duration.ofMillis(1)), unsettled.next());
  }

  @Test
  void aJobThatIsNotHereIsNotWaitedFor() {
    unsettled.add(JOB);
    unsettled.add(new JobId(43));
    unsettled.settled(new JobId(43));
    unsettled.keep(Set.of(new JobId(43)));
    assertFalse(unsettled.due(JOB));
    assertEquals(Optional.empty(), unsettled.next());
  }
}
