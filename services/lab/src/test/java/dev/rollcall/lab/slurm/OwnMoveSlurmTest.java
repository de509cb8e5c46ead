package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.slurm.SlurmJobsConfig;
import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmAlone;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.JoinedSession;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that move themselves into the extern step of a job of a real Slurm, as the PAM module
 * does, beside a session that Slurm's own module has adopted.
 */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class OwnMoveSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BURNT = Duration.ofMillis(500);

  /** On v1 a thread that writes 0 moves itself. */
  private static final String MOVE = "for place; do echo 0 > $place/tasks; done; ";

  private static final String BURN = "i=0; while [ $i -lt 1500000 ]; do i=$((i + 1)); done; ";
  private static final String STAY = "exec sleep 600";

  @TempDir private Path folder = Path.of("");

  /** Sees the node's cgroups and sockets from outside of its namespaces. */
  private dev.rollcall.jobs.slurm.SlurmJobs agent(ClusterNode node) throws IOException {
    return dev.rollcall.jobs.slurm.SlurmJobs.open(
        new SlurmJobsConfig(
            node.file("/var/lib/slurm/slurmd"),
            node.name(),
            Files.createDirectory(folder.resolve(node.name())),
            /* writeCgroups= */ false));
  }

  private static SessionPlace await(dev.rollcall.jobs.slurm.SlurmJobs agent, long job) {
    JobId id = new JobId(job);
    Eventually.await(
        PATIENCE,
        () -> agent.sessionPlace(id).isPresent(),
        () -> "no place for sessions: " + agent.list() + agent.trouble());
    return agent.sessionPlace(id).orElseThrow();
  }

  private static Process start(SessionPlace place, String then) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", MOVE + then, "sh"));
    place.cgroups().forEach(each -> command.add(each.directory().toString()));
    Process process = new ProcessBuilder(command).inheritIO().start();
    Eventually.await(
        PATIENCE,
        () -> process.isAlive() && isIn(process, place),
        () -> "it did not move to " + place + ", and lives: " + process.isAlive());
    return process;
  }

  private static boolean isIn(Process process, SessionPlace place) {
    try {
      ProcessCgroups its = ProcessCgroups.read(Path.of("/proc"), (int) process.pid());
      return place.cgroups().stream()
          .allMatch(each -> its.in(each.hierarchy()).equals(Optional.of(each.path())));
    } catch (IOException ended) {
      return false;
    }
  }

  /** What it sleeps by comes after that. */
  private static JoinedSession joined(long job, Process process, SessionPlace place) {
    SessionPlace.Cgroup first = place.cgroups().getFirst();
    return new JoinedSession(
        new JobId(job),
        new Proc(Path.of("/proc")).ref((int) process.pid()).orElseThrow(),
        first.hierarchy(),
        first.path(),
        Instant.now());
  }

  private static boolean lists(ClusterNode node, long job, Process process) {
    return SlurmCommandJobs.sessions(node, job).contains(process.pid());
  }

  @Test
  void sessionsThatMoveThemselvesAreSlurmsAsThoseThatItAdopts(SlurmAlone alone) throws IOException {
    TestCluster cluster = alone.cluster();
    SlurmCommandJobs slurm = alone.jobs();
    try (var agent = agent(cluster.node(NodeAddress.NODE2))) {
      var node2 = cluster.node(NodeAddress.NODE2);
      var node1 = cluster.node(NodeAddress.NODE1);
      long job = slurm.submit(User.ALICE, List.of(node1, node2));
      SessionPlace place = await(agent, job);

      String adopted =
          node1.exec(User.ALICE, "ssh", "node2", "cat /proc/self/cgroup").outOrThrow("ssh");
      for (SessionPlace.Cgroup each : place.cgroups()) {
        String line = ":" + each.hierarchy() + ":" + each.path() + "\n";
        assertTrue(adopted.contains(line), line + "is not in " + adopted);
      }
      assertEquals(
          List.of("freezer", "memory", "devices", "cpuacct"),
          place.cgroups().stream().map(SessionPlace.Cgroup::hierarchy).toList());

      // Slurm counts a session as it ends, but for one that a cancelled job ends only sometimes.
      Process burning = start(place, BURN);
      Process told = start(place, STAY);
      Process untold = start(place, STAY);
      for (Process each : List.of(burning, told)) {
        assertEquals(
            Optional.of(new JobStep(new JobId(job), StepId.EXTERN)),
            agent.joined(joined(job, each, place)));
      }
      assertEquals(2, agent.counts().reported.sum());
      assertTrue(isIn(told, place), "the step daemon leaves it where it is");
      assertTrue(lists(node2, job, told), "scontrol listpids has the one that was told of");
      assertTrue(lists(node2, job, untold), "and the other one");

      Eventually.await(PATIENCE, () -> !burning.isAlive(), () -> "it burns CPU time for too long");
      slurm.suspend(job);
      Eventually.await(
          PATIENCE,
          () -> agent.sessionPlace(new JobId(job)).isEmpty(),
          () -> "a suspended job has a place for sessions");
      slurm.resume(job);
      assertEquals(place, await(agent, job));

      slurm.cancel(List.of(job));
      for (Process each : List.of(told, untold)) {
        Eventually.await(PATIENCE, () -> !each.isAlive(), () -> each + " outlives its job");
      }
      for (SessionPlace.Cgroup each : place.cgroups()) {
        Path left = each.directory();
        Eventually.await(PATIENCE, () -> !Files.exists(left), () -> left + " is left");
      }
      assertNotEquals("RUNNING", slurm.accountedSessions(job, BURNT).state());
    }
  }
}
