package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job on two nodes, whose cgroups are of version 2 on one and of version 1 on the other. */
@Tag("cluster")
class TwoVersionsClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String STAY =
      "setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $!; cat /proc/self/cgroup";

  @Test
  void aJobSpansBoth() {
    Path home = SourceTree.ROOT;
    var setup =
        ClusterSetup.of(home.resolve("deploy/target/rollcall"))
            .withShape(new ClusterShape(2, 1))
            .withV1On(NodeAddress.NODE2);
    try (var cluster = TestCluster.start(setup);
        var agents = new AgentLines()) {
      Stage stage = Stage.of(cluster, agents);
      stage.awaitConnection();
      try (OpenJobs jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
        long job = jobs.oldest();
        String v1 = "freezer:/rollcall-%s/node2/rollcall.scope/".formatted(cluster.id());
        long there = goes(stage, job, stage.node1(), "node2", v1);
        long here = goes(stage, job, stage.node2(), "node1", "/node1/rollcall.scope/");
        agents.end(stage.node2(), job);
        agents.end(stage.node1(), job);
        assertFalse(ProcessStart.isAlive(there));
        assertFalse(ProcessStart.isAlive(here));
        assertEquals(List.of(jobs.newest()), agents.open(stage.node2()));
      }
    }
  }

  /** Goes by ssh from inside the job, and leaves a process, whose number this returns. */
  private static long goes(Stage stage, long job, ClusterNode from, String to, String tree) {
    String said =
        stage
            .startInJob(from, job, User.ALICE, "ssh", to, STAY)
            .await(DEADLINE)
            .outOrThrow("ssh " + to);
    String place = tree + "job_" + job + "/step_extern/user/session_";
    assertTrue(said.contains(place), () -> "not in " + place + ": " + said);
    return Long.parseLong(said.lines().findFirst().orElseThrow());
  }
}
