package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.port.Jobs.EndOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeldUpEndsTest {
  private final AtomicLong clock = new AtomicLong(System.nanoTime());
  private final HeldUpEnds ends = new HeldUpEnds(clock::get);
  private final NativeJob job =
      new NativeJob(
          new Job(new JobId(42), 1001, 1001, Instant.EPOCH, JobState.OPEN),
          Allocation.NONE,
          KnownJobs.none().list());

  private void passes(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void anEndThatDoesNotGetOnIsLoggedOnceAMinute() {
    job.close(EndOrder.now(Duration.ZERO));
    passes(Duration.ofMinutes(5));
    assertFalse(ends.look(job), "nobody is at it");
    job.atWork(Optional.of(Thread.currentThread()));
    clock.set(System.nanoTime());
    assertFalse(ends.look(job), "it has just begun");
    passes(Duration.ofSeconds(61));
    assertTrue(ends.look(job));
    assertFalse(ends.look(job), "it was logged just now");
    passes(Duration.ofSeconds(61));
    assertTrue(ends.look(job));
    job.atWork(Optional.empty());
    passes(Duration.ofSeconds(61));
    assertFalse(ends.look(job), "it got on");
  }

  @Test
  void anEndWithinItsGraceIsNotHeldUp() {
    job.close(new EndOrder("", Duration.ofHours(1), Duration.ZERO));
    job.atWork(Optional.of(Thread.currentThread()));
    passes(Duration.ofMinutes(5));
    assertFalse(ends.look(job));
  }
}
