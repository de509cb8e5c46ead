package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.ClusterSetup;
import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.OnStage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.model.Connection;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two clusters on one machine: the same names, the same addresses, another authority. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class TwoClustersClusterTest {
  @Test
  void withOneAddressPlanKnowNothingOfEachOther(Stage stage) {
    stage.awaitConnection();
    Path home = SourceTree.ROOT;
    try (var otherCluster =
            TestCluster.start(
                ClusterSetup.of(home.resolve("deploy/target/rollcall"))
                    .withShape(new ClusterShape(2, 1)));
        var agents = new AgentLines()) {
      Stage other = Stage.of(otherCluster, agents);
      other.awaitConnection();
      try (var bob = Bystander.of(stage)) {
        answersStayApart(stage, other, bob);
        aNodeOfTheOtherIsRefused(stage, other);
        bob.noticesNothing();
      }
    }
  }

  private static void answersStayApart(Stage stage, Stage other, Bystander bob) {
    String[] words = {"hold", "-", "45031", NodeAddress.NODE2.v4(), "22"};
    Connection call =
        Answers.connection(
            "%s 45031 %s 22".formatted(NodeAddress.NODE1.v4(), NodeAddress.NODE2.v4()));
    try (var there = other.begin(3, User.ALICE, other.node1());
        var hers =
            Attack.inJob(other, other.node1(), there.newest(), User.ALICE, "call.py", words)) {
      hers.says("call ");
      assertEquals(
          "job " + there.newest() + " of uid 2001", Answers.of(other, other.node2(), call));
      assertEquals("unknown", Answers.of(stage, stage.node2(), call));
      try (var his =
          Attack.inJob(stage, stage.node1(), bob.jobs().oldest(), User.BOB, "call.py", words)) {
        his.says("call ");
        assertEquals(
            "job " + bob.jobs().oldest() + " of uid 2002", Answers.of(stage, stage.node2(), call));
        assertEquals(
            "job " + there.newest() + " of uid 2001", Answers.of(other, other.node2(), call));
      }
    }
  }

  private static void aNodeOfTheOtherIsRefused(Stage stage, Stage other) {
    Path foreign = RogueNode.tls(other, other.node1());
    try (var rogue = RogueNode.at(stage, stage.node1(), foreign)) {
      rogue.hello("demo", "node1", Instant.now().getEpochSecond(), NodeAddress.NODE1.v4());
      assertEquals(Status.Code.UNAVAILABLE, rogue.end().getCode(), rogue.end().toString());
    }
  }
}
