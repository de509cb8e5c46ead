package dev.rollcall.gateway.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll;
import dev.rollcall.port.RollUnavailableException;
import dev.rollcall.testkit.roll.InMemoryRoll;
import dev.rollcall.testkit.roll.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessReadsTest {
  private static final NodeName NODE = new NodeName("node1");
  private static final int JOBS = 100;

  private final InMemoryRoll roll = new InMemoryRoll(new SettableClock());
  private final Workers workers = new Workers(1_000);
  private final ProcessReads reads = new ProcessReads(roll, workers);

  @BeforeEach
  void fill() {
    var node =
        new Roll.NodeDescription(
            new NodeEpoch(NODE, "boot", 1), Set.of(), "g:1", "0.1.0", "sock_ops");
    if (roll.connect(node, Duration.ofSeconds(30)) instanceof Roll.Standing.Connected(var by)) {
      for (int id = 1; id <= JOBS; id++) {
        roll.enterJob(
            by,
            new Job(new JobId(id), 1000, 1000, Instant.EPOCH, JobState.OPEN),
            "alice",
            List.of(new JobProcess(new ProcessRef(id, 5), StepId.of(0), "")),
            Instant.EPOCH);
      }
    }
  }

  @AfterEach
  void stop() {
    workers.close();
  }

  private CompletableFuture<Map<NodeName, ProcessReads.Found>> find(int pid) {
    return reads.find(Map.of(NODE, Set.of(pid))).orTimeout(60, TimeUnit.SECONDS);
  }

  /** While the roll is held, all that ask wait: the first read has one of them, the next all. */
  @Test
  void allThatWaitShareOneRead() {
    var answers = new ArrayList<CompletableFuture<Map<NodeName, ProcessReads.Found>>>();
    synchronized (roll) {
      for (int pid = 1; pid <= JOBS; pid++) {
        answers.add(find(pid));
      }
    }
    for (int pid = 1; pid <= JOBS; pid++) {
      ProcessReads.Found found = answers.get(pid - 1).join().get(NODE);
      assertEquals(pid, found == null ? -1 : found.of(pid).getFirst().job().id().number());
    }
    assertTrue(roll.jobsRead() <= 2 * JOBS, roll.jobsRead() + " entries were read");
  }

  @Test
  void aFailureIsOfThoseThatWaitedAndLaterOnesAreAnswered() {
    roll.setUnavailable(true);
    var failed = assertThrows(CompletionException.class, () -> find(1).join());
    assertEquals(RollUnavailableException.class, failed.getCause().getClass());
    roll.setUnavailable(false);
    assertEquals(Set.of(NODE), find(1).join().keySet());
  }
}
