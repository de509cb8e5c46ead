package dev.rollcall.gateway.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.InMemoryRoll;
import dev.rollcall.testkit.roll.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
  private static final String OPEN = "node1 7 JOB_STATE_OPEN";

  private final SettableClock clock = new SettableClock();
  private final InMemoryRoll roll = new InMemoryRoll(clock);
  private final Workers workers = new Workers(1_000);
  private final AtomicInteger reads = new AtomicInteger();
  private final JobsWatched watched =
      new JobsWatched(new RecentJobs(roll, workers, () -> clock.millis() * 1_000_000));
  private final Roll.Registration node1 = node();

  @AfterEach
  void stop() {
    workers.close();
  }

  private Roll.Registration node() {
    var node =
        new Roll.NodeDescription(
            new NodeEpoch(new NodeName("node1"), "boot", 1), Set.of(), "g:1", "0.1.0", "sock_ops");
    roll.afterJobs(reads::incrementAndGet);
    return roll.connect(node, LEASE) instanceof Roll.Standing.Connected(var registration)
        ? registration
        : new Roll.Registration(node.epoch(), 0);
  }

  private void enterJob(JobState state) {
    roll.enterJob(node1, new Job(new JobId(7), 1000, 1000, NOW, state), "alice", List.of(), NOW);
  }

  private List<String> watch() {
    List<String> sent = new CopyOnWriteArrayList<>();
    watched.watch((node, job) -> sent.add(node + " " + job.getJobId() + " " + job.getState()));
    return sent;
  }

  private void nextSecond() {
    int before = reads.get();
    clock.advance(Duration.ofSeconds(1));
    watched.tick();
    Await.until("it was read", () -> reads.get() > before && workers.underWay() == 0);
  }

  @Test
  void allWatchersShareOneReadASecondAndEachGetsEachChangeOnce() {
    enterJob(JobState.OPEN);
    List<List<String>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(watch());
      watched.tick();
    }
    Await.until("all have begun", () -> all.stream().allMatch(sent -> sent.size() == 1));
    assertEquals(1, reads.get(), "within one second");
    enterJob(JobState.CLOSING);
    nextSecond();
    roll.strikeJob(node1, new JobId(7));
    nextSecond();
    nextSecond();
    assertEquals(4, reads.get());
    all.forEach(sent ->
        assertEquals(List.of(OPEN, "node1 7 JOB_STATE_CLOSING", "node1 7 JOB_STATE_CLOSED"), sent));
  }

  /** The one before saw another state: it is not sent as a change. */
  @Test
  void aWatcherThatComesAfterAllHaveGoneGetsTheJobsAsTheyAreNow() {
    watched.watch((_, _) -> {}).run();
    enterJob(JobState.OPEN);
    clock.advance(Duration.ofSeconds(1));
    List<String> sent = watch();
    Await.until("it has begun", () -> !sent.isEmpty());
    assertEquals(List.of(OPEN), sent);
  }

  @Test
  void aReadThatTakesLongIsSharedAndDoesNotCloseAJobThatBeganMeanwhile() throws Exception {
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    roll.afterJobs(() -> {
      reads.incrementAndGet();
      begun.countDown();
      Await.until("the read may end", () -> end.getCount() == 0);
    });
    List<String> sent = watch();
    begun.await();
    enterJob(JobState.OPEN);
    clock.advance(Duration.ofSeconds(2));
    watched.tick();
    watched.tick();
    assertEquals(1, reads.get(), "one is under way");
    end.countDown();
    Await.until("it has ended", () -> workers.underWay() == 0);
    nextSecond();
    assertEquals(List.of(OPEN), sent);
  }
}
