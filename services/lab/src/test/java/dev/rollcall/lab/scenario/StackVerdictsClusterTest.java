package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Verdicts of {@code rollcall doctor} about PAM stacks, each compared with logins by it: alice has
 * a job on node2, bob has none. The first line of each stack says who comes where, and which
 * finding is not good, if any.
 */
@Tag("cluster")
@ExtendWith(OnStage.class)
class StackVerdictsClusterTest {
  private static final Path STACKS = Path.of("src/test/resources/dev/rollcall/lab/scenario/stacks");
  private static final Path MODULE =
      SourceTree.DISTRIBUTION.resolve("lib/security/pam_rollcall.so").toAbsolutePath().normalize();

  /** Under its own job's /tmp, too: that belongs to the job's owner. */
  private static String arrival(Stage stage, User user) {
    Result ssh = stage.node1().exec(user, "ssh", "node2", "stat -c %U /tmp; cat /proc/self/cgroup");
    if (!ssh.ok()) {
      return "refused";
    }
    String[] said = ssh.out().split("\n", 2);
    if (!Storm.place(stage.node2().below(said[1])).startsWith("job ")) {
      return "outside";
    }
    return said[0].equals(user.login()) ? "in" : "half";
  }

  private static String findings(ClusterNode node) {
    Result doctor = node.rollcall("doctor", "--json");
    return new JsonArray(doctor.out())
        .stream()
            .map(JsonObject.class::cast)
            .filter(each -> each.getString("id").startsWith("pam."))
            .filter(each -> !each.getString("state").equals("good"))
            .filter(each -> !each.getString("id").equals("pam.version"))
            .map(each -> each.getString("state") + " " + each.getString("id"))
            .collect(Collectors.joining(", "));
  }

  private static void compare(Stage stage, String name) throws IOException {
    ClusterNode node = stage.node2();
    Path file = node.file("/etc/pam.d/sshd");
    String before = Files.readString(file);
    String stack = Files.readString(STACKS.resolve(name));
    Files.createDirectories(node.file("/run/empty"));
    Files.writeString(node.file("/run/empty/pam_rollcall.so"), "");
    try (var _ = stage.begin(1, User.ALICE, node)) {
      Files.writeString(file, stack.replace("MODULE", MODULE.toString()));
      assertEquals(
          stack.lines().findFirst().orElseThrow(),
          "# alice %s, bob %s; %s"
              .formatted(arrival(stage, User.ALICE), arrival(stage, User.BOB), findings(node))
              .strip(),
          stage.cluster()::logs);
    } finally {
      Files.writeString(file, before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "sufficient-session"})
  void areThoseOfLogins(String stack, Stage stage) throws IOException {
    compare(stage, stack);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "empty",
        "other-case",
        "continued",
        "jump",
        "optional",
        "sufficient-and-deny",
        "sufficient-account"
      })
  void areThoseOfLoginsOfMoreStacks(String stack, Stage stage) throws IOException {
    compare(stage, stack);
  }
}
