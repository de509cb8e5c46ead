package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmAlone;
import dev.rollcall.testkit.process.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Slurm alone, with its own PAM module: what is raised is what sites have. It goes down here: the
 * last of those that share it.
 */
@Order(Integer.MAX_VALUE)
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class SlurmTest {
  private static final Duration BURNT = Duration.ofMillis(500);
  private static final String BURN = "i=0; while [ $i -lt 600000 ]; do i=$((i + 1)); done";

  @Test
  void adoptsAsSlurmDoesAndLeavesNothingBehindNotEvenASuspendedJob(SlurmAlone alone)
      throws IOException {
    TestCluster cluster = alone.cluster();
    try (alone) {
      SlurmCommandJobs jobs = alone.jobs();
      var node1 = cluster.node(NodeAddress.NODE1);
      var node2 = cluster.node(NodeAddress.NODE2);
      long job = jobs.submit(User.ALICE, List.of(node1, node2));

      String step =
          jobs.step(node1, job, User.ALICE, "cat", "/proc/self/cgroup")
              .await(Duration.ofSeconds(20))
              .outOrThrow("srun");
      assertTrue(step.contains("freezer:/slurm_node1/uid_2001/job_" + job + "/step_0"), step);
      String session =
          node1
              .exec(User.ALICE, "ssh", "node2", BURN + "; cat /proc/self/cgroup")
              .outOrThrow("ssh");
      assertTrue(session.contains("/slurm_node2/uid_2001/job_" + job + "/step_extern"), session);
      Result refused = node1.exec(User.BOB, "ssh", "node2", "true");
      assertFalse(refused.ok());
      assertTrue(refused.err().contains("no active jobs"), refused.err());

      jobs.suspend(job);
      assertEquals("SUSPENDED None", jobs.state(job));
      assertEquals("FROZEN", SlurmCommandJobs.freezer(node2, job));
      jobs.resume(job);
      assertEquals("THAWED", SlurmCommandJobs.freezer(node2, job));

      jobs.cancel(List.of(job));
      assertNotEquals("RUNNING", jobs.accountedSessions(job, BURNT).state());
      jobs.suspend(jobs.submit(User.CAROL, List.of(cluster.node(NodeAddress.NODE3))));
    }
    assertEquals(alone.before(), MachineSlurm.read());
    assertEquals(List.of(), leftOf(cluster.id()));
  }

  /** What is there of one cluster. */
  private static List<String> leftOf(String id) throws IOException {
    var left = new ArrayList<String>();
    for (String place : List.of("/tmp", "/sys/fs/cgroup/freezer", "/sys/fs/cgroup/memory")) {
      MachineSlurm.names(Path.of(place)).stream()
          .filter(name -> name.contains(id))
          .forEach(left::add);
    }
    return left;
  }
}
