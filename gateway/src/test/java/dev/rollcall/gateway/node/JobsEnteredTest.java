package dev.rollcall.gateway.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.stream.ConnectedNodes;
import dev.rollcall.gateway.work.SerialExecutor;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll.NodeDescription;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.port.Roll.Standing;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.InMemoryRoll;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs that a node tells of while the roll takes nothing. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JobsEnteredTest {
  private static final NodeName NODE = new NodeName("node1");
  private static final JobId LARGE = new JobId(41);
  private static final JobId SMALL = new JobId(42);
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private final Workers workers = new Workers(4);
  private final InMemoryRoll roll = new InMemoryRoll(InstantSource.system());
  private final CountDownLatch free = new CountDownLatch(1);
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger grown = new AtomicInteger();
  private final JobsEntered jobs = entered();

  private JobsEntered entered() {
    Standing standing =
        roll.connect(
            new NodeDescription(new NodeEpoch(NODE, "boot", 1), Set.of(), "g:1", "1", "fake"),
            Duration.ofMinutes(1));
    Registration registration = assertInstanceOf(Standing.Connected.class, standing).registration();
    var tasks = new SerialExecutor(workers, AssertionError::new);
    tasks.add(this::stall);
    return new JobsEntered(
        registration,
        roll,
        tasks,
        new NodeStreamMeters(new SimpleMeterRegistry(), new ConnectedNodes(), Set.of()),
        grown::addAndGet);
  }

  private void stall() {
    try {
      free.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void close() {
    free.countDown();
    workers.close();
  }

  private static JobOnNode.Builder update(JobId id) {
    var job = new Job(id, 1000, 1000, NOON, JobState.OPEN);
    return JobOnNode.newBuilder()
        .setJob(JobMapper.toProto(job, NODE, "", false))
        .setObservedAt(CallerMapper.timestamp(NOON));
  }

  private int tellOfProcesses(int from, int to) {
    JobOnNode.Builder update = update(LARGE);
    for (int pid = from; pid < to; pid++) {
      var process = new JobProcess(new ProcessRef(pid, pid), StepId.of(0), "");
      update.addProcesses(JobMapper.member(process));
    }
    return jobs.told(update.build(), taken::incrementAndGet);
  }

  /** What waits for another job keeps the updates of a job apart. */
  private void tellOfAnotherJob() {
    jobs.gone(SMALL);
    jobs.inOrder();
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** As many as a node may send before the roll has taken the first, each with all processes. */
  @Test
  void noListOfProcessesWaitsForTheRoll() {
    tellOfProcesses(1, 30_000);
    long before = usedBytes();
    for (int i = 0; i < NodeSession.WINDOW; i++) {
      assertEquals(30_000 + i, tellOfProcesses(30_000 + i, 30_001 + i));
      tellOfAnotherJob();
    }
    long grown = usedBytes() - before;
    assertTrue(grown < 20_000_000, grown + " bytes wait"); // lists of all had 110 MB
    free.countDown();
    Await.until("all are taken", () -> taken.get() == 1 + NodeSession.WINDOW);
    assertEquals(30_127, roll.processes(NODE, LARGE).size());
  }

  /** Short updates that wait, and then a long one: the roll takes the long list for each. */
  @Test
  void whatAListGrewBeforeTheRollTookItCounts() {
    for (int i = 1; i < NodeSession.WINDOW; i++) {
      tellOfProcesses(1, 2);
      tellOfAnotherJob();
    }
    tellOfProcesses(2, 10_001);
    free.countDown();
    Await.until("all are taken", () -> taken.get() == NodeSession.WINDOW);
    assertEquals((NodeSession.WINDOW - 1) * 9_999, grown.get());
  }

  @Test
  void aJobThatIsGoneMeanwhileIsNotEntered() {
    tellOfProcesses(1, 3);
    jobs.gone(LARGE);
    free.countDown();
    Await.until("it is taken", () -> taken.get() == 1);
    assertEquals(0, roll.jobs().size());
  }
}
