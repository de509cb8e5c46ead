package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Timestamp;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.Node;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command around the checks: where it looks, what it prints, how it ends. */
class DoctorCommandTest {
  @TempDir private Path root = Path.of("");

  @BeforeEach
  void aNodeWithoutAnAgent() throws IOException {
    Files.writeString(
        root.resolve("agent.yaml"),
        "run_directory: %s/run\nmetrics: 127.0.0.1:1\n".formatted(root));
    Path pam = Files.createDirectories(root.resolve("etc/pam.d"));
    Files.writeString(
        pam.resolve("sshd"),
        "account required pam_rollcall.so\nsession required pam_rollcall.so\n");
  }

  private Shell.Ran doctor(String... more) {
    var words =
        new java.util.ArrayList<>(
            List.of(
                "doctor",
                "--root",
                root.toString(),
                "--config",
                root.resolve("agent.yaml").toString(),
                "--socket",
                root.resolve("run/agent.sock").toString()));
    words.addAll(List.of(more));
    return new Shell().run(words.toArray(String[]::new));
  }

  private static String state(JsonArray findings, String id) {
    return findings.stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("id").equals(id))
        .map(each -> each.getString("state"))
        .findFirst()
        .orElse("not there");
  }

  @Test
  void aNodeWithoutAnAgentIsBadAndWhatIsBehindItNotLookedAt() {
    Shell.Ran ran = doctor("--json");
    assertEquals(ExitCode.FAILED.status(), ran.status(), ran.toString());
    var findings = new JsonArray(ran.out());
    assertEquals("good", state(findings, "pam.account"));
    assertEquals("bad", state(findings, "socket.login"));
    assertEquals("not looked at", state(findings, "agent"));
    assertEquals("not looked at", state(findings, "version"));
    assertEquals("not looked at", state(findings, "clock"));
    assertEquals("good", state(findings, "linger"));
  }

  @Test
  void theNodeIsTheOneThatTheConfigurationNames() throws IOException {
    Files.writeString(
        root.resolve("agent.yaml"),
        "node: node7\nrun_directory: %s/run\nmetrics: 127.0.0.1:1\n".formatted(root));
    Files.createDirectories(root.resolve("run"));
    try (var fake = new FakeRollcall().listenOn(root.resolve("run/agent.sock"))) {
      var mine =
          Node.newBuilder()
              .setNode("node7")
              .setVersion("0.0.1")
              .setHeardAt(Timestamp.newBuilder().setSeconds(1));
      fake.answer(ListNodesRequest.class, ListNodesResponse.newBuilder().addNodes(mine).build());
      var findings = new JsonArray(doctor("--json").out());
      assertEquals("warning", state(findings, "version"));
      assertEquals("good", state(findings, "clock"));
    }
  }

  @Test
  void peopleReadEachFindingWithItsRemedy() {
    String out = doctor().out();
    assertTrue(out.contains("good           pam.account: account has pam_rollcall.so"), out);
    assertTrue(
        out.contains(
            "bad            socket.login: "
                + root.resolve("run/login.sock")
                + " is not there"
                + System.lineSeparator()
                + "               -> start the agent, or see run_directory"),
        out);
  }

  /** The lab's nodes have theirs elsewhere; a user may not read it. */
  @Test
  void nothingIsClaimedFromAConfigurationThatCannotBeRead() throws IOException {
    Path file = root.resolve("agent.yaml");
    Files.delete(file);
    assertNothingClaimed(file);
    Files.createDirectory(file);
    assertNothingClaimed(file);
  }

  private void assertNothingClaimed(Path file) {
    var findings = new JsonArray(doctor("--json").out());
    for (String id : List.of("agent", "tls", "linger", "sshd.forcecommand")) {
      assertEquals("not looked at", state(findings, id), id);
    }
    String out = doctor().out();
    assertTrue(
        out.lines()
            .filter(line -> line.startsWith("not looked at  tls: cannot read " + file + ": "))
            .anyMatch(line -> line.endsWith("; --config names the agent's configuration")),
        out);
    assertFalse(out.contains("FileNotFound"), out);
  }

  @Test
  void anAgentThatDoesNotRunIsNamedByItsSocket() throws IOException {
    Files.writeString(
        root.resolve("agent.yaml"), "run_directory: %1$s/run\nmetrics: %1$s/m\n".formatted(root));
    String out = doctor().out();
    assertTrue(out.contains("/health/ready: there is no " + root.resolve("m")), out);
    assertTrue(out.contains("tls: the agent's configuration names no certificates"), out);
    assertFalse(out.contains("FileNotFound"), out);
  }

  @Test
  void aMistakeInTheConfigurationIsWhyTheRestIsNotLookedAt() throws IOException {
    Files.writeString(root.resolve("agent.yaml"), "run_directory: [a]\n");
    String out = doctor().out();
    assertTrue(out.contains("run_directory: expected one value"), out);
  }
}
