package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("cluster")
@ExtendWith(OnStage.class)
class BadInputClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final int SESSIONS = 5;

  @ParameterizedTest
  @CsvSource({
    "silent, login.sock, ROOT",
    "garbage, login.sock, ROOT",
    "oversized, login.sock, ROOT",
    "truncated, login.sock, ROOT",
    "silent, agent.sock, BOB",
    "garbage, agent.sock, BOB",
  })
  void leavesTheAgentAliveAndLoginsGoOn(String kind, String socket, User peer, Stage stage)
      throws IOException {
    int peers = Counts.of(kind + " peers at " + socket, 1000, 1000);
    long agent = stage.cluster().agent(NodeAddress.NODE2).pid();
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2())) {
      Running pester = pester(stage, kind, socket, peers, peer);
      try {
        var arrived = Storm.from(stage, jobs.oldest(), SESSIONS).arrivals(DEADLINE);
        assertEquals(
            Map.of("job " + jobs.oldest(), (long) SESSIONS), arrived, stage.cluster()::logs);
        assertTrue(pester.isAlive(), "the peers are gone");
      } finally {
        pester.kill();
      }
    }
    assertTrue(stage.cluster().agent(NodeAddress.NODE2).isAlive());
    assertEquals(agent, stage.cluster().agent(NodeAddress.NODE2).pid());
  }

  private static Running pester(Stage stage, String kind, String socket, int peers, User peer)
      throws IOException {
    Path script = stage.cluster().directory().resolve("pester.pl");
    try (InputStream resource = BadInputClusterTest.class.getResourceAsStream("pester.pl")) {
      Files.write(script, resource.readAllBytes());
    }
    String mark = "/tmp/pester-" + stage.cluster().id() + "-" + kind + "-" + socket;
    Running pester =
        stage
            .node2()
            .start(
                peer,
                "perl",
                script.toString(),
                kind,
                "/run/rollcall/" + socket,
                Integer.toString(peers),
                mark);
    try {
      Eventually.await(
          DEADLINE,
          () -> Files.exists(Path.of(mark)) || !pester.isAlive(),
          () -> kind + " peers are not all there");
      assertTrue(pester.isAlive(), () -> pester.await(DEADLINE).err());
      return pester;
    } finally {
      Files.deleteIfExists(Path.of(mark));
    }
  }

  @Test
  void inThePamLineRefusesTheLoginAndSaysThatTheConfigurationIsWrong(Stage stage)
      throws IOException {
    Path stack = stage.node2().file("/etc/pam.d/sshd");
    String good = Files.readString(stack);
    Files.writeString(stack, good.replace("pam_rollcall.so", "pam_rollcall.so action_no_job=deny"));
    try (var _ = stage.begin(1, User.ALICE, stage.node2())) {
      var ssh = stage.cluster().node(NodeAddress.LOGIN).exec(User.ALICE, "ssh", "node2", "true");
      assertEquals(255, ssh.exit());
      assertTrue(ssh.err().contains("its configuration on this node is wrong"), ssh::err);
    } finally {
      Files.writeString(stack, good);
    }
  }
}
