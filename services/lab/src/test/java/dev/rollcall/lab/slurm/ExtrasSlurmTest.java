package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.slurm.SlurmJobs;
import dev.rollcall.jobs.slurm.SlurmJobsConfig;
import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmAlone;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What only the step daemon of a real Slurm gives to sessions: a display. */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class ExtrasSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Proc PROC = new Proc(Path.of("/proc"));
  private static final String COOKIE = "0123456789abcdef0123456789abcdef";

  /** A display that nothing listens at: Slurm only looks for its cookie. */
  private static final String SALLOC =
      "export XAUTHORITY=/tmp/x11-cookies DISPLAY=localhost:77;"
          + " xauth -q add localhost:77 MIT-MAGIC-COOKIE-1 "
          + COOKIE
          + "; exec salloc --x11=all --nodelist=node2 --chdir=/tmp sleep 600";

  @TempDir private Path folder = Path.of("");

  /** Sees the node's cgroups and sockets from outside of its namespaces. */
  private SlurmJobs agent(ClusterNode node) throws IOException {
    return SlurmJobs.open(
        new SlurmJobsConfig(
            node.file("/var/lib/slurm/slurmd"), node.name(), folder, /* writeCgroups= */ false));
  }

  private static void awaitOpen(SlurmJobs agent, JobId job) {
    Eventually.await(
        PATIENCE,
        () ->
            agent.list().stream()
                .anyMatch(it -> it.id().equals(job) && it.state() == JobState.OPEN),
        () -> "job " + job + " is not open: " + agent.list() + agent.trouble());
  }

  @Test
  void aSessionHasTheDisplayThatSallocForwards(SlurmAlone alone) throws Exception {
    TestCluster cluster = alone.cluster();
    SlurmCommandJobs slurm = alone.jobs();
    var node2 = cluster.node(NodeAddress.NODE2);
    try (var agent = agent(node2)) {
      Running salloc = cluster.node(NodeAddress.LOGIN).start(User.ALICE, "sh", "-c", SALLOC);
      Eventually.await(
          PATIENCE,
          () -> !slurm.on(node2).isEmpty(),
          () -> "no job; salloc runs: " + salloc.isAlive() + "; " + slurm.logs());
      long number = slurm.on(node2).getFirst();
      var job = new JobId(number);
      awaitOpen(agent, job);
      assertEquals(Optional.empty(), agent.sessionPlace(job), "the step daemon has to be asked");

      Process session = new ProcessBuilder("sleep", "600").start();
      try (Pidfd process = Pidfd.open(PROC, (int) session.pid()).orElseThrow()) {
        var adopted =
            assertInstanceOf(
                AdoptResult.Adopted.class, agent.adopt(process, job, User.ALICE.uid()));
        var display = adopted.setup().display();
        assertTrue(
            String.valueOf(display.get("DISPLAY")).matches("localhost:[1-9][0-9]*\\.0"),
            display::toString);
        String cookies =
            node2
                .exec(User.ALICE, "xauth", "-f", String.valueOf(display.get("XAUTHORITY")), "list")
                .outOrThrow("xauth");
        assertTrue(cookies.contains(COOKIE), cookies);
      }
      slurm.cancel(List.of(number));
      Eventually.await(PATIENCE, () -> !session.isAlive(), () -> "it outlives its job");
    }
  }
}
