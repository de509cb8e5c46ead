package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.docs.CodeBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The PAM stacks of the pages after the commands that switch Rollcall off or remove its lines, by
 * libpam: daemon is an administrator, games is not.
 */
@Tag("root")
class StacksWithoutRollcallTest {
  private static final Path DOCS = SourceTree.ROOT.resolve("docs");
  private static final String PAM_LINES =
      SourceTree.DEPLOY.resolve("src/main/removal/pam-lines").toAbsolutePath().toString();

  /** As a site has it from pam_slurm_adopt: the session line's jump counts Rollcall's line. */
  private static final String JUMP =
      """
      account    required     pam_permit.so
      account    sufficient   pam_access.so
      account    required     pam_rollcall.so
      session    required     pam_permit.so
      session    [success=1 default=ignore] pam_succeed_if.so quiet user ingroup admins
      session    required     pam_rollcall.so
      """;

  private static final String REST =
      "account required pam_permit.so\nsession required pam_permit.so\n";

  @TempDir private Path folder = Path.of("");

  /** Those of pam.md are the end of a file. */
  static Stream<String> stacks() throws IOException {
    return Stream.concat(
        CodeBlock.in(DOCS.resolve("migrating-from-pam_slurm_adopt.md")).stream()
            .filter(block -> block.language().equals("pam"))
            .map(CodeBlock::text),
        CodeBlock.in(DOCS.resolve("pam.md")).stream()
            .filter(block -> block.text().matches("(?s).*session .* pam_rollcall\\.so.*"))
            .map(block -> REST + block.text()));
  }

  static Stream<String> stacksAndJump() throws IOException {
    return Stream.concat(stacks(), Stream.of(JUMP));
  }

  @BeforeEach
  void site() throws IOException {
    Files.createDirectory(folder.resolve("pam.d"));
    Files.writeString(folder.resolve("access.conf"), "+:(admins):ALL\n-:ALL:ALL\n");
    Files.writeString(folder.resolve("allowed_users"), "daemon\n");
    Files.writeString(
        folder.resolve("group"),
        Files.readString(Path.of("/etc/group")) + "admins:x:2100:daemon\n");
    for (String type : List.of("auth", "account", "session")) {
      Files.writeString(folder.resolve("pam.d/common-" + type), type + " required pam_permit.so\n");
    }
  }

  /** With our folder as /etc/pam.d, and our administrator. */
  private Command.Ran run(String command) {
    return Command.run(
        folder,
        Map.of(),
        "unshare",
        "--mount",
        "bash",
        "-ec",
        """
        mount --bind pam.d /etc/pam.d
        mount --bind group /etc/group
        mount --bind access.conf /etc/security/access.conf
        login() { pamtester sshd $1 acct_mgmt open_session close_session; }
        """
            + command);
  }

  /** Needs no bus, and no file of this machine's sshd. */
  private Path write(String stack) throws IOException {
    return Files.writeString(
        folder.resolve("pam.d/sshd"),
        stack
            .replace("pam_systemd.so", "pam_permit.so")
            .replace("/etc/ssh/allowed_users", folder.resolve("allowed_users").toString()));
  }

  private static String firstSwitch() throws IOException {
    return CodeBlock.beginning(DOCS.resolve("operations.md"), "sed -i").firstLine();
  }

  @ParameterizedTest
  @MethodSource("stacksAndJump")
  void switchedOffTheyAdmitAllUsers(String stack) throws IOException {
    write(stack);
    assertEquals(0, run(firstSwitch() + "; login daemon; login games").status());
  }

  /** As the removal shows it, if it refuses. */
  @ParameterizedTest
  @MethodSource("stacksAndJump")
  void withoutOurLinesTheyStillAdmitAdministrators(String stack) throws IOException {
    write(stack);
    String remedy =
        run(PAM_LINES).said().lines().filter(line -> line.contains("sed -i")).findFirst().get();
    Command.Ran ran = run(remedy + "; " + PAM_LINES + "; login daemon");
    assertEquals(0, ran.status(), ran.said());
  }

  @ParameterizedTest
  @MethodSource("stacks")
  void thePagesCommandsOfTheRemovalKeepAdministratorsToo(String stack) throws IOException {
    String page = Files.readString(DOCS.resolve("install.md"));
    String delete = "sed -i '/^[^#]*pam_rollcall/d' /etc/pam.d/sshd";
    assertTrue(page.contains("`" + delete + "`"), "the page deletes the lines so");
    write(stack);
    assertEquals(0, run(delete + "; login daemon").status());
    write(stack);
    String replace = CodeBlock.beginning(DOCS.resolve("install.md"), "sed -i").text();
    assertEquals(0, run(replace + "\nlogin daemon").status());
  }
}
