package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The PAM stacks of the migration page, as they stand there, in an sshd: alice has a job on node2,
 * bob has none, and carol is an administrator.
 */
@Tag("cluster")
@ExtendWith(OnStage.class)
class StacksClusterTest {
  private static final Path HOME = SourceTree.ROOT;
  private static final Path PAGE = HOME.resolve("docs/migrating-from-pam_slurm_adopt.md");
  private static final Pattern STACK = Pattern.compile("(?s)```pam\n# ([^\n]+)\n(.*?)```");

  /** Who comes in under each of them: in the job, outside of all jobs, or not at all. */
  private static final Map<String, Arrivals> EXPECTED =
      Map.of(
          "plain", new Arrivals("in the job", "refused", "refused", "in the job"),
          "administrators bypass", new Arrivals("in the job", "refused", "outside", "outside"),
          "administrators adopted", new Arrivals("in the job", "refused", "outside", "in the job"),
          "allow file", new Arrivals("in the job", "refused", "outside", "outside"),
          "pam_systemd for administrators",
              new Arrivals("in the job", "refused", "refused", "in the job"),
          "first week", new Arrivals("in the job", "outside", "outside", "in the job"));

  /**
   * @param admin without a job
   * @param adminWithJob with one
   */
  private record Arrivals(String owner, String jobless, String admin, String adminWithJob) {}

  @TestFactory
  Stream<DynamicTest> letInWhomThePageSays(Stage stage) throws IOException {
    Map<String, String> stacks = stacks();
    assertEquals(EXPECTED.keySet(), stacks.keySet(), "the stacks of the page");
    return stacks.entrySet().stream()
        .map(stack ->
            dynamicTest(
                stack.getKey(),
                () ->
                    assertEquals(
                        EXPECTED.get(stack.getKey()),
                        arrivals(stage, stack.getValue()),
                        stage.cluster()::logs)));
  }

  private static Map<String, String> stacks() throws IOException {
    var stacks = new HashMap<String, String>();
    STACK
        .matcher(Files.readString(PAGE))
        .results()
        .forEach(found -> stacks.put(found.group(1), found.group(2)));
    return stacks;
  }

  private static Arrivals arrivals(Stage stage, String stack) throws IOException {
    ClusterNode node2 = stage.node2();
    Path file = node2.file("/etc/pam.d/sshd");
    String before = Files.readString(file);
    administrators(node2);
    // The page names the module as PAM finds it; the test has it in the distribution.
    String module =
        HOME.resolve("deploy/target/rollcall/lib/security").toAbsolutePath().normalize()
            + "/pam_rollcall.so";
    try (var _ = stage.begin(1, User.ALICE, node2)) {
      Files.writeString(
          file, "auth required pam_unix.so\n" + stack.replace("pam_rollcall.so", module));
      String admin = arrival(stage, User.CAROL);
      try (var _ = stage.begin(1, User.CAROL, node2)) {
        return new Arrivals(
            arrival(stage, User.ALICE),
            arrival(stage, User.BOB),
            admin,
            arrival(stage, User.CAROL));
      }
    } finally {
      Files.writeString(file, before);
    }
  }

  /** Once: the node's own copy of PAM's settings, with carol in them. */
  private static void administrators(ClusterNode node) {
    node.shell(
            User.ROOT,
            """
            [ ! -e /run/security ] || exit 0
            cp -a /etc/security /run/security
            mount --bind /run/security /etc/security
            printf '+:(admins):ALL\\n-:ALL:ALL\\n' > /etc/security/access.conf
            echo carol > /etc/ssh/allowed_users
            cp /etc/group /run/group
            echo admins:x:2100:carol >> /run/group
            mount --bind /run/group /etc/group
            """)
        .outOrThrow("making carol an administrator");
  }

  private static String arrival(Stage stage, User user) {
    Result ssh = stage.node1().exec(user, "ssh", "node2", "cat /proc/self/cgroup");
    if (!ssh.ok()) {
      return "refused";
    }
    return Storm.place(stage.node2().below(ssh.out())).startsWith("job ")
        ? "in the job"
        : "outside";
  }
}
