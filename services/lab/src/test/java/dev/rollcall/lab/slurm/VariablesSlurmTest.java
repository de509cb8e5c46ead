package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The variables of sessions in jobs of a real Slurm, without and with a task on the node. */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class VariablesSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static Map<String, String> variables(ClusterNode from) {
    return from.exec(User.ALICE, "ssh", "node2", "env")
        .outOrThrow("ssh")
        .lines()
        .filter(line -> line.startsWith("SLURM") && line.contains("="))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf('=')),
                line -> line.substring(line.indexOf('=') + 1)));
  }

  @Test
  void thoseOfThePrologHoldUntilATaskHasItsOwn(SlurmStage shared) {
    TestCluster cluster = shared.cluster();
    SlurmCommandJobs slurm = shared.jobs();
    var node1 = cluster.node(NodeAddress.NODE1);
    var node2 = cluster.node(NodeAddress.NODE2);
    long job = slurm.submit(User.ALICE, List.of(node1, node2));

    Map<String, String> withoutTask = variables(cluster.node(NodeAddress.LOGIN));
    assertEquals(Long.toString(job), withoutTask.get("SLURM_JOB_ID"));
    assertEquals("main", withoutTask.get("SLURM_JOB_PARTITION"), withoutTask::toString);
    assertEquals("node2", withoutTask.get("SLURMD_NODENAME"), withoutTask::toString);
    assertFalse(withoutTask.containsKey("SLURM_SCRIPT_CONTEXT"), withoutTask::toString);

    slurm.step(node2, job, User.ALICE, "sleep", "600");
    Eventually.await(
        PATIENCE,
        () -> variables(node1).containsKey("SLURM_CPUS_ON_NODE"),
        () -> "no task's variables: " + variables(node1));
    String rollcall = SlurmStage.DISTRIBUTION.resolve("bin/rollcall").toString();
    Result verified =
        node2.exec(User.ALICE, rollcall, "verify", Long.toString(job), "--host", "node2", "--json");
    assertTrue(verified.out().contains("\"alike\""), verified.err());
    assertFalse(verified.out().contains("\"part\":\"environment\""), verified::out);
    slurm.cancel(List.of(job));
  }

  @Test
  void theIdThatSqueueShowsIsListedAndTaken(SlurmStage shared) {
    SlurmCommandJobs slurm = shared.jobs();
    var node2 = shared.cluster().node(NodeAddress.NODE2);
    long job = slurm.submit(User.ALICE, List.of(node2), "--array=7", "--job-name=train");
    String id = job + "_7";
    String rollcall = SlurmStage.DISTRIBUTION.resolve("bin/rollcall").toString();
    Eventually.await(
        PATIENCE,
        () -> node2.exec(User.ALICE, rollcall, "jobs").out().contains("  " + id + "\n"),
        () -> "the id is not listed: " + node2.exec(User.ALICE, rollcall, "jobs", "--json"));
    for (String word : List.of(id, id + ".batch", "name-train")) {
      String processes = node2.exec(User.ALICE, rollcall, "ps", word, "--json").outOrThrow("ps");
      assertTrue(processes.contains("\"job\":" + job + ","), processes);
    }
    slurm.cancel(List.of(job));
  }
}
