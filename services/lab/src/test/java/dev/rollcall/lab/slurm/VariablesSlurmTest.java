package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SharedClusters.SlurmStage;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The variables of sessions in jobs of a real Slurm. */
@Tag("slurm")
@ExtendWith(SharedClusters.class)
class VariablesSlurmTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Slurm gives them to the batch script, on the first node, and not to a prolog (22.05). */
  private static final Predicate<String> OF_THE_SCRIPT =
      name ->
          name.startsWith("SLURM_SUBMIT_")
              || name.startsWith("SLURM_ARRAY_")
              || Set.of("SLURM_JOB_QOS", "TMPDIR").contains(name);

  private static Map<String, String> variables(ClusterNode login, String node) {
    return login
        .exec(User.ALICE, "ssh", node, "env")
        .outOrThrow("ssh")
        .lines()
        .filter(line -> line.matches("(SLURM|[A-Z]+_VISIBLE|ZE_|GPU_|TMPDIR).*=.*"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf('=')),
                line -> line.substring(line.indexOf('=') + 1),
                (_, later) -> later,
                TreeMap::new));
  }

  /** The batch script is on node1. The step is started on node2, so that srun knows no script. */
  @Test
  void describeTheJobBeforeDuringAndAfterItsSteps(SlurmStage shared) {
    TestCluster cluster = shared.cluster();
    SlurmCommandJobs slurm = shared.jobs();
    var login = cluster.node(NodeAddress.LOGIN);
    var node1 = cluster.node(NodeAddress.NODE1);
    var node2 = cluster.node(NodeAddress.NODE2);
    long job =
        slurm.submit(
            User.ALICE,
            List.of(node1, node2),
            "--ntasks=4",
            "--ntasks-per-node=2",
            "--cpus-per-task=2",
            "--mem=400",
            "--gres=gpu:2",
            "--array=7");
    try {
      // Those of the batch script are there once it has begun.
      Eventually.await(
          PATIENCE,
          () -> variables(login, "node1").containsKey("SLURM_SUBMIT_DIR"),
          () -> variables(login, "node1").toString());
      Map<String, String> first = variables(login, "node1");
      Map<String, String> second = variables(login, "node2");
      areOfTheJob(job, first, second);

      Running step =
          slurm.step(
              node2,
              job,
              User.ALICE,
              List.of("--cpus-per-task=1", "--mem=50", "--gpus-per-task=1"),
              "sh",
              "-c",
              "env; echo started; exec sleep 600");
      step.awaitOutput("started", PATIENCE);
      assertEquals(first, variables(login, "node1"));
      assertEquals(second, variables(login, "node2"));
      areComparedWithTheStep(node2, job);
    } finally {
      slurm.cancel(List.of(job));
    }
  }

  private static void areOfTheJob(long job, Map<String, String> first, Map<String, String> second) {
    Set<String> allowed = new TreeSet<>(EnvironmentAllowList.DEFAULTS.of(first).keySet());
    allowed.add("SLURM_JOB_ID");
    assertEquals(allowed, first.keySet());
    assertEquals(Long.toString(job), first.get("SLURM_JOB_ID"));
    assertEquals("node[1-2]", first.get("SLURM_JOB_NODELIST"), first::toString);
    assertEquals("main", first.get("SLURM_JOB_PARTITION"), first::toString);
    assertEquals("/", first.get("SLURM_SUBMIT_DIR"), first::toString);
    assertEquals("7", first.get("SLURM_ARRAY_TASK_ID"), first::toString);
    assertEquals("0,1", first.get("CUDA_VISIBLE_DEVICES"), first::toString);
    var everywhere = new TreeMap<>(first);
    everywhere.keySet().removeIf(OF_THE_SCRIPT);
    everywhere.put("SLURMD_NODENAME", "node2");
    var ofTheSecond = new TreeMap<>(second);
    ofTheSecond.keySet().removeIf(OF_THE_SCRIPT);
    assertEquals(everywhere, ofTheSecond);
  }

  private static void areComparedWithTheStep(ClusterNode node2, long job) {
    String rollcall = SlurmStage.DISTRIBUTION.resolve("bin/rollcall").toString();
    Result verified =
        node2.exec(User.ALICE, rollcall, "verify", Long.toString(job), "--host", "node2", "--json");
    assertTrue(verified.out().contains("\"alike\""), verified.err());
    assertFalse(verified.out().contains("\"part\":\"environment\""), verified::out);
  }

  /** As in the terminal of an IDE. SLURM_MEM_PER_NODE of the first job would be a second limit. */
  @Test
  void aJobThatASessionSubmitsIsNoPartOfTheFirst(SlurmStage shared) {
    TestCluster cluster = shared.cluster();
    SlurmCommandJobs slurm = shared.jobs();
    var node2 = cluster.node(NodeAddress.NODE2);
    long job =
        slurm.submit(
            User.ALICE, List.of(cluster.node(NodeAddress.NODE1), node2), "--mem=300", "-n4", "-c2");
    try {
      String nested =
          "sbatch --wait --quiet --chdir=/tmp -o /tmp/nested.%%j.out %s --wrap 'srun hostname -s;"
              + " echo srun $?' && cat /tmp/nested.*.out && rm /tmp/nested.*.out";
      for (String limits : List.of("-w node2 -n1 --mem-per-cpu=20", "-w node2 -n2 --mem=60")) {
        String printed =
            cluster
                .node(NodeAddress.LOGIN)
                .exec(User.ALICE, "ssh", "node2", nested.formatted(limits))
                .outOrThrow("sbatch in a session: " + slurm.logs());
        String tasks = limits.contains("-n2") ? "node2\nnode2\n" : "node2\n";
        assertEquals(tasks + "srun 0\n", printed);
      }
      String step =
          cluster
              .node(NodeAddress.LOGIN)
              .exec(User.ALICE, "ssh", "node2", "srun --overlap --mem=10 -N2 hostname -s | sort")
              .outOrThrow("srun in a session");
      assertEquals("node1\nnode2\n", step);
    } finally {
      slurm.cancel(List.of(job));
    }
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
