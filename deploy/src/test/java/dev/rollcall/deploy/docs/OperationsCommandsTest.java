package dev.rollcall.deploy.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.testkit.docs.CodeBlock;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types commands of docs/operations.md and of the migration's page that need no daemon. */
class OperationsCommandsTest {
  private static final Path DOCS = Path.of(System.getProperty("rollcall.home", ".."), "docs");

  /** Lines as AuditPageTest compares them with the code: two sessions, and a job. */
  private static final String LOG =
      """
      {"time":"2026-11-25T10:00:00.000Z","event":"session","user":"bob","outcome":"adopt"}
      {"time":"2026-11-25T10:00:01.000Z","event":"session","user":"alice","would":"deny",\
      "would_job":null,"reason":"no_jobs"}
      {"time":"2026-11-25T10:00:02.000Z","event":"job","job":41,"user":"bob"}
      """;

  @TempDir private Path folder = Path.of("unset");

  private String type(String page, String start) throws IOException {
    String command =
        CodeBlock.beginning(DOCS.resolve(page), start)
            .text()
            .replace("/var/log/rollcall/", folder + "/")
            .replace("/etc/pam.d/", folder + "/");
    Result result =
        Running.run(
            Duration.ofSeconds(30),
            List.of("bash", "-c", "set -eu; cd \"$1\"\n" + command, "bash", folder.toString()));
    assertEquals(0, result.exit(), result.err());
    return result.out();
  }

  @Test
  void jqSelectsTheDecisionsAboutAUser() throws IOException {
    Files.writeString(folder.resolve("audit.jsonl"), LOG);
    assertEquals(LOG.lines().limit(1).toList(), type("operations.md", "jq -c").lines().toList());
  }

  @Test
  void jqSelectsTheDecisionsOfAuditOnlyMode() throws IOException {
    Files.writeString(folder.resolve("audit.jsonl"), LOG);
    assertEquals(
        "2026-11-25T10:00:01.000Z\talice\tdeny\t\tno_jobs\n",
        type("migrating-from-pam_slurm_adopt.md", "jq -r"));
  }

  /** Both commands together change nothing; the first alone leaves no line that decides. */
  @Test
  void thePamLinesAreSwitchedOffAndOnAgain() throws IOException {
    String stack =
        CodeBlock.beginning(DOCS.resolve("pam.md"), "# /etc/pam.d/sshd").text().strip() + "\n";
    Path sshd = Files.writeString(folder.resolve("sshd"), stack);
    type("operations.md", "sed -i");
    assertEquals(stack, Files.readString(sshd));

    String off = CodeBlock.beginning(DOCS.resolve("operations.md"), "sed -i").text();
    Running.run(
        Duration.ofSeconds(30),
        List.of(
            "sh", "-c", off.lines().findFirst().orElseThrow().replace("/etc/pam.d", "" + folder)));
    assertEquals(
        List.of(),
        Files.readAllLines(sshd).stream()
            .filter(line -> line.matches("(account|session) +\\S+ +\\S*pam_rollcall.*"))
            .toList());
  }

  @Test
  void aKeyForTokensHas32BytesAndIsOnlyTheOwners() throws IOException {
    type("operations.md", "umask 077");
    Path key = folder.resolve("token.key");
    assertEquals(32, Base64.getDecoder().decode(Files.readString(key).strip()).length);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
  }
}
