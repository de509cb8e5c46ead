package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manual pages as groff takes them, and the completion as a real bash does. */
class ShippedTest {
  private static final Path DOCUMENTS = Path.of("../../docs");

  @TempDir private static Path share = Path.of("");

  @BeforeAll
  static void write() throws IOException {
    Shipped.write(DOCUMENTS, share);
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.walk(share.resolve("man"))) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String said(String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said;
    try (var output = process.inputReader()) {
      said = output.readAllAsString();
    }
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  @Test
  void groffFindsNoFaultWithAnyPage() throws IOException, InterruptedException {
    for (Path page : pages()) {
      assertEquals(
          "", said("groff", "-man", "-ww", "-z", "-Tutf8", page.toString()), page::toString);
    }
  }

  @Test
  void everyCommandHasAPageWithItsOptions() throws IOException, InterruptedException {
    String page = read(share.resolve("man/man1/rollcall-switch.1"));
    assertTrue(page.contains("rollcall-switch - Move the processes of this session"), page);
    assertTrue(page.contains("--next"), page);
    assertTrue(page.contains("--socket PATH"), page);
    assertTrue(Files.exists(share.resolve("man/man1/rollcall-job-begin.1")));
    assertTrue(read(share.resolve("man/man1/rollcall.1")).contains("doctor"));
  }

  @Test
  void everyKeyAndPamOptionIsOnItsPage() throws IOException, InterruptedException {
    String agent = read(share.resolve("man/man5/rollcall-agent.yaml.5"));
    assertTrue(agent.contains("slurm_fallback"), agent);
    assertTrue(agent.contains("(an absolute path; default: /run/rollcall)"), agent);
    assertTrue(read(share.resolve("man/man5/rollcall-gateway.yaml.5")).contains("member_listen"));
    String pam = read(share.resolve("man/man8/pam_rollcall.8"));
    assertTrue(pam.contains("action_adopt_failure"), pam);
    assertTrue(pam.contains("(deny, ignore; default: deny)"), pam);
  }

  /** As a reader sees it, in one line. */
  private static String read(Path page) throws IOException, InterruptedException {
    return said("groff", "-man", "-Tascii", "-P-cbou", page.toString()).replaceAll("\\s+", " ");
  }

  @Test
  void aDocumentWithoutItsTableEndsTheBuild(@TempDir Path empty) throws IOException {
    Files.writeString(empty.resolve("configuration.md"), "# nothing\n");
    assertThrows(
        IllegalArgumentException.class, () -> Shipped.write(empty, empty.resolve("share")));
  }

  @Test
  void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
    assertEquals("sessions", completed("rollcall", "sess"));
    assertEquals("begin", completed("rollcall", "job", "beg"));
    assertEquals("--next", completed("rollcall", "switch", "--ne"));
  }

  /** What bash offers for the last word. */
  private static String completed(String... words) throws IOException, InterruptedException {
    Path script = share.resolve("bash-completion/completions/rollcall");
    String line = String.join(" ", words);
    return said(
            "bash",
            "--norc",
            "-c",
            ". %s; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s'; COMP_POINT=%d; _complete_rollcall; echo \"${COMPREPLY[@]}\""
                .formatted(script, line, words.length - 1, line, line.length()))
        .lines()
        .filter(each -> !each.contains("compopt"))
        .reduce("", String::concat)
        .strip();
  }
}
