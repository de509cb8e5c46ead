package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.process.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("cluster")
@Tag("full")
@ExtendWith(OnStage.class)
class UsageClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(4);

  /** An agent looks at its jobs each 30 s. */
  @Test
  void ofAJobIsWatchedAtAGatewayWithItsLastHour(Stage stage) {
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2())) {
      Eventually.await(
          DEADLINE,
          () -> watch(stage.cluster(), jobs.oldest()).matches("(?s).*(node1|node2).*secondsAgo.*"),
          () -> watch(stage.cluster(), jobs.oldest()));
      String seen = watch(stage.cluster(), jobs.oldest());
      assertTrue(seen.contains("\"node\":\"node1\"") && seen.contains("\"node\":\"node2\""), seen);
    }
  }

  /** What the stream has in its first seconds. */
  private static String watch(TestCluster cluster, long job) {
    Path own = cluster.administrator();
    String gate = cluster.endpoint(cluster.node(NodeAddress.GATE));
    return cluster
        .node(NodeAddress.LOGIN)
        .exec(
            User.ROOT,
            "curl",
            "--silent",
            "--show-error",
            "--max-time",
            "5",
            "--cacert",
            cluster.authority().toString(),
            "--cert",
            own.resolve("certificate.pem").toString(),
            "--key",
            own.resolve("key.pem").toString(),
            "https://" + gate + "/v1/usage:watch?job_only=true&job_id=" + job)
        .toString();
  }
}
