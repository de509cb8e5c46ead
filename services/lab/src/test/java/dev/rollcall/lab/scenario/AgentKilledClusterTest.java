package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.OpenJobs;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.count.Counts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("cluster")
@ExtendWith(OnStage.class)
class AgentKilledClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  @Test
  void losesNoJobSessionOrCallWhileItIsAway(Stage stage) {
    int times = Counts.of("kills of both agents", 1, 10);
    int sessions = Counts.of("sessions while agents are killed", 20, 200);
    for (int i = 0; i < times; i++) {
      try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2());
          var held = HeldSession.open(stage, jobs.oldest())) {
        killInTheMiddle(stage, jobs, sessions);
        nothingIsLost(stage, jobs, held);
        stage.agents().end(stage.node2(), jobs.oldest());
        assertFalse(held.sessionIsAlive(), "the session outlived its job");
      }
    }
  }

  private static void killInTheMiddle(Stage stage, OpenJobs jobs, int sessions) {
    var storm = Storm.from(stage, jobs.oldest(), sessions);
    List<Daemon> agents =
        List.of(stage.cluster().agent(NodeAddress.NODE1), stage.cluster().agent(NodeAddress.NODE2));
    agents.forEach(Daemon::kill);
    agents.forEach(Daemon::start);
    agents.forEach(Daemon::awaitReady);
    Map<String, Long> arrived = storm.arrivals(DEADLINE);
    System.out.println("while the agents were killed: " + arrived);
    // A session whose call no one can tell, as while there is no agent, goes to the newest: never
    // anywhere else, and above all not outside.
    assertTrue(
        Set.of("job " + jobs.oldest(), "job " + jobs.newest()).containsAll(arrived.keySet()),
        arrived::toString);
    assertEquals(sessions, arrived.values().stream().mapToLong(Long::longValue).sum());
  }

  private static void nothingIsLost(Stage stage, OpenJobs jobs, HeldSession held) {
    stage.awaitConnection();
    for (var node : jobs.nodes()) {
      assertTrue(stage.agents().open(node).containsAll(jobs.ids()), node.name());
    }
    assertTrue(held.sessionIsAlive());
    assertEquals("job " + jobs.oldest(), held.place());
    // Its call was made before the agents died.
    var answer = stage.agents().identify(stage.node2(), held.connection());
    assertEquals(jobs.oldest(), answer.getFound().getJob().getJobId(), answer::toString);
    var after = Storm.from(stage, jobs.oldest(), 5).arrivals(DEADLINE);
    assertEquals(Map.of("job " + jobs.oldest(), 5L), after, stage.cluster()::logs);
  }
}
