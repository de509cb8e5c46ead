package dev.rollcall.gateway.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.gateway.node.NodeUserNames;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.roll.InMemoryRoll;
import dev.rollcall.testkit.roll.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobsWatchedTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final InMemoryRoll roll = new InMemoryRoll(new SettableClock());
  private final Workers workers = new Workers(10);
  private final JobsWatched watched = new JobsWatched(roll, workers, new NodeUserNames());
  private final List<String> sent = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    workers.close();
  }

  private void enterJob() {
    var node =
        new Roll.NodeDescription(
            new NodeEpoch(new NodeName("node1"), "boot", 1), Set.of(), "g:1", "0.1.0", "sock_ops");
    if (roll.connect(node, LEASE) instanceof Roll.Standing.Connected(var registration)) {
      roll.enterJob(
          registration, new Job(new JobId(7), 1000, 1000, NOW, JobState.OPEN), List.of(), NOW);
    }
  }

  @Test
  void anEarlierReadThatEndsLateDoesNotCloseAJob() throws Exception {
    var reads = new AtomicInteger();
    var begun = new CountDownLatch(1);
    roll.afterJobs(() -> {
      if (reads.incrementAndGet() == 1) {
        begun.countDown();
        // A later read has this time to end before.
        Eventually.holds(Duration.ofMillis(500), () -> !sent.isEmpty());
      }
    });
    watched.watch((node, job) -> sent.add(node + " " + job.getJobId() + " " + job.getState()));
    begun.await();
    enterJob();
    watched.tick();
    watched.tick();
    Await.until("every read has ended", () -> reads.get() > 1 && workers.underWay() == 0);
    assertEquals(List.of("node1 7 JOB_STATE_OPEN"), sent);
    assertEquals(2, reads.get(), "one read for both ticks");
  }
}
