package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.OnStage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A user of a compute node, and everything there that listens. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class OpenPortsClusterTest {
  private static final Pattern METRIC = Pattern.compile("(rollcall|jvm|process|vertx)_\\w+");

  @BeforeEach
  void ready(Stage stage) {
    stage.awaitConnection();
  }

  @Test
  void everyOpenPortIsSpokenToAndTellsNothingOfAnybody(Stage stage) {
    ClusterNode node = stage.node2();
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(1, User.ALICE, node);
        var scan = Attack.inJob(stage, node, hers.oldest(), User.ALICE, "scan.py")) {
      scan.says("scanned");
      List<String> answers =
          scan.end().outOrThrow("scan").lines().filter(line -> line.startsWith("port ")).toList();
      // sshd, the metrics, and the two sockets: nothing else may listen.
      for (String expected :
          List.of("127.0.0.1:22 ", "127.0.0.1:7451 ", "/run/rollcall/agent.sock ")) {
        assertTrue(
            answers.stream().anyMatch(line -> line.startsWith("port " + expected)), expected);
      }
      for (String line : answers) {
        assertTrue(
            line.matches("port (\\S+:22|127\\.0\\.0\\.1:7451|:::22|/run/rollcall/\\S+) .*"),
            () -> "who listens there? " + line);
        nothingOfBobs(line, bob);
      }
      assertTrue(
          answers.stream()
              .filter(line -> line.startsWith("port 127.0.0.1:7451 http"))
              .anyMatch(line -> METRIC.matcher(line).find()));
      // Even knowing the name of the login socket she is not let in.
      assertTrue(
          answers.stream()
              .filter(line -> line.contains("login.sock"))
              .allMatch(line -> line.endsWith("b'(PermissionError)'")));
      bob.noticesNothing();
    }
  }

  private static void nothingOfBobs(String line, Bystander bob) {
    for (String secret :
        List.of(
            "bob",
            Integer.toString(User.BOB.uid()),
            Long.toString(bob.session().pid()),
            NodeAddress.NODE1.v4(),
            bob.session().connection().local().toString())) {
      assertFalse(
          Pattern.compile("(?<![\\d.])" + Pattern.quote(secret) + "(?![\\d.])")
              .matcher(line)
              .find(),
          () -> secret + " is told: " + line);
    }
  }

  /** Who says nothing, less than a request, and, at a port of TLS, less than a record of it. */
  private static Stream<Attack> lorises(Stage stage) {
    ClusterNode node = stage.node1();
    String gateway = NodeAddress.GATE.v4() + ":7450";
    return Stream.of(
        loris(node, "/run/rollcall/agent.sock", "drip"),
        loris(node, "127.0.0.1:7451", "silent"),
        loris(node, "127.0.0.1:7451", "drip"),
        loris(node, gateway, "silent"),
        loris(node, gateway, "drip"),
        loris(node, gateway, "hello"),
        loris(stage.cluster().node(NodeAddress.GATE), "127.0.0.1:7453", "drip"));
  }

  private static Attack loris(ClusterNode node, String where, String kind) {
    return Attack.outside(node, User.ALICE, "crowd.py", where, "1000", kind);
  }

  /** All of them at once. */
  @Test
  void aSlowLorisIsDroppedInTimeAndNobodyWaitsForIt(Stage stage) {
    List<Attack> lorises = List.of();
    try (var bob = Bystander.of(stage)) {
      lorises = lorises(stage).toList();
      for (Attack loris : lorises) {
        loris.says("crowded");
      }
      bob.logsIn(3);
      bob.answersStay();
      for (Attack loris : lorises) {
        loris.isAtWork();
      }
      // A user's own connections to agent.sock are all that it takes.
      for (Attack loris : lorises.subList(1, lorises.size())) {
        loris.says("dropped");
      }
      assertTrue(stage.cluster().agent(NodeAddress.NODE1).isAlive());
      assertTrue(stage.cluster().gateway().isAlive());
    } finally {
      lorises.forEach(Attack::close);
    }
  }

  @Test
  void theLoginSocketIsClosedToUsersByItsMode(Stage stage) {
    try (var knock = Attack.outside(stage.node2(), User.ALICE, "login_socket.py", "knock")) {
      assertEquals("knocked PermissionError", knock.end().outOrThrow("knock").strip());
    }
  }

  /** Were its mode ever wrong, or did a descriptor reach a user: the kernel says who connected. */
  @Test
  void theLoginSocketIsClosedToUsersByTheirCredentials(Stage stage) throws IOException {
    ClusterNode node = stage.node2();
    Path loginSocket = node.file("/run/rollcall/login.sock");
    Files.setPosixFilePermissions(loginSocket, PosixFilePermissions.fromString("rw-rw-rw-"));
    try (var bob = Bystander.of(stage);
        var carrier =
            Attack.outside(
                node, User.ROOT, "login_socket.py", "carry", Attack.MEETING + "/login", "2001")) {
      carrier.says("waiting");
      try (var use =
          Attack.outside(node, User.ALICE, "login_socket.py", "use", Attack.MEETING + "/login")) {
        String heard = use.end().outOrThrow("use").strip();
        assertTrue(heard.matches("heard (b''|ConnectionResetError|BrokenPipeError)"), heard);
      }
      String log = stage.cluster().agent(NodeAddress.NODE2).log();
      assertTrue(log.contains("uid 2001"), log);
      bob.noticesNothing();
    } finally {
      Files.setPosixFilePermissions(loginSocket, PosixFilePermissions.fromString("rw-------"));
    }
  }
}
