package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.process.Eventually;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An address of the second network that is added to a node, removed, and added to another one, as
 * DHCP and a failover do it, while bob calls from it. He has two jobs on both nodes, and calls from
 * the older one. A caller who is not known enters the newest job, with that reason.
 */
@Tag("cluster")
@Tag("full")
@ExtendWith(OnStage.class)
class MovedAddressClusterTest {
  private static final String MOVING = "10.88.0.201";

  /** An agent reads its addresses a second after a change; sooner than it does without one. */
  private static final Duration KNOWN_WITHIN = Duration.ofSeconds(20);

  private static final Duration SESSION = Duration.ofMinutes(1);

  private final Set<String> reasons = new TreeSet<>();

  @Test
  void callsFromAnAddressEnterTheirCallersJobWhereverItMoves(Stage stage) {
    stage.awaitConnection();
    try (OpenJobs jobs = stage.begin(2, User.BOB, stage.node1(), stage.node2())) {
      change(stage.node1(), "add");
      awaitRight(stage, jobs, stage.node1(), stage.node2());
      change(stage.node1(), "del");
      change(stage.node2(), "add");
      awaitRight(stage, jobs, stage.node2(), stage.node1());
      assertEquals(Set.of("caller-job", "newest-job"), reasons);
    } finally {
      stage.node1().shell(User.ROOT, "ip address del " + MOVING + "/24 dev ib0; true");
      stage.node2().shell(User.ROOT, "ip address del " + MOVING + "/24 dev ib0; true");
    }
  }

  private static void change(ClusterNode node, String how) {
    node.shell(User.ROOT, "ip address " + how + " " + MOVING + "/24 dev ib0")
        .outOrThrow(how + " the address");
  }

  private void awaitRight(Stage stage, OpenJobs jobs, ClusterNode from, ClusterNode to) {
    String right = "job " + jobs.oldest() + " caller-job";
    Eventually.await(
        KNOWN_WITHIN,
        () -> right.equals(session(stage, jobs, from, to)),
        () -> "calls from " + MOVING + " are not known: " + reasons);
    assertEquals(right, session(stage, jobs, from, to));
  }

  /** The job that a session enters, and why; never the caller's job if it is another. */
  private String session(Stage stage, OpenJobs jobs, ClusterNode from, ClusterNode to) {
    String[] lines =
        stage
            .startInJob(
                from,
                jobs.oldest(),
                User.BOB,
                "ssh",
                "-b",
                MOVING,
                to.address().nameFabric(),
                "grep ^0:: /proc/self/cgroup; echo $ROLLCALL_REASON")
            .await(SESSION)
            .outOrThrow("ssh from " + MOVING)
            .strip()
            .split("\n", -1);
    String place = Storm.place(to.below(lines[0]));
    reasons.add(lines[1]);
    assertEquals(
        place, "job " + (lines[1].equals("caller-job") ? jobs.oldest() : jobs.newest()), lines[1]);
    return place + " " + lines[1];
  }
}
