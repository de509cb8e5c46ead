package dev.rollcall.deploy.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.CommandTree;
import dev.rollcall.cli.ask.CliContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Manual pages as groff takes them, and the completion as a real bash does. */
class ShippedTest {
  private static final Path DOCUMENTS = Path.of("../docs");

  private static final Pattern QUOTED_OR_NOT = Pattern.compile("\"[^\"]*\"|\\S+");

  @TempDir private static Path distribution = Path.of("");

  private static Path share = Path.of("");

  @BeforeAll
  static void write() throws IOException {
    Shipped.write(DOCUMENTS, distribution);
    share = distribution.resolve("share");
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
  void mandocFindsNoFaultWithAnyPage() throws IOException, InterruptedException {
    for (Path page : pages()) {
      // Pages have no date, so that builds are alike, and a page of a command may not be installed
      // here.
      assertEquals(
          "",
          said(
              "sh",
              "-c",
              "mandoc -Tlint -Wwarning \"$0\" | grep -v 'missing date\\|referenced manual not"
                  + " found' || true",
              page.toString()),
          page::toString);
    }
  }

  @Test
  void everyPageHasTheSectionsOfItsKind() throws IOException {
    for (Path page : pages()) {
      String name = page.getFileName().toString();
      List<String> sections =
          Files.readString(page)
              .lines()
              .filter(line -> line.startsWith(".SH "))
              .map(line -> line.replaceAll("^.SH |\"", ""))
              .toList();
      List<String> wanted =
          switch (name) {
            case "pam_rollcall.8" -> List.of("OPTIONS", "FILES", "ENVIRONMENT", "RETURN VALUES");
            case "rollcall-uninstall.8" -> List.of("OPTIONS", "FILES", "EXIT STATUS");
            case "rollcall-agent.8", "rollcall-gateway.8" ->
                List.of("FILES", "ENVIRONMENT", "EXIT STATUS");
            default ->
                name.endsWith(".5")
                    ? List.of("KEYS", "FILES")
                    : List.of("ENVIRONMENT", "EXIT STATUS");
          };
      for (String section : wanted) {
        assertTrue(sections.contains(section), () -> name + " has no " + section);
      }
      assertEquals("NAME", sections.getFirst(), name);
      assertEquals(
          List.of("EXAMPLES", "SEE ALSO"),
          sections.subList(sections.size() - 2, sections.size()),
          name);
    }
  }

  @Test
  void everyExampleIsACommandThatIsUnderstood() {
    CommandLine tree = CommandTree.of(CliContext.NONE);
    Examples examples = Examples.shipped();
    for (String page : examples.pages()) {
      for (Examples.Example example : examples.of(page)) {
        if (example.command().startsWith("rollcall ")) {
          tree.parseArgs(words(example.command()));
        }
      }
    }
  }

  /** Without the first word, and without a redirection. */
  private static String[] words(String command) {
    return QUOTED_OR_NOT
        .matcher(command.replaceFirst("^rollcall ", "").replaceFirst(" > .*", ""))
        .results()
        .map(word -> word.group().replace("\"", ""))
        .toArray(String[]::new);
  }

  @Test
  void theFileOfAuditOnlyAndTheRemovalHavePages() throws IOException, InterruptedException {
    String auditOnly = read(share.resolve("man/man5/rollcall-audit_only.yaml.5"));
    assertTrue(auditOnly.contains("groups: [pilot]"), auditOnly);
    String removal = read(share.resolve("man/man8/rollcall-uninstall.8"));
    assertTrue(removal.contains("--keep-records Leaves state and logs."), removal);
    assertTrue(
        removal.contains("sed -i '/^[^#]*pam_rollcall/d' /etc/pam.d/sshd rollcall uninstall apt"),
        removal);
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
    assertTrue(agent.contains("reloaded without a restart (operations.md)"), agent);
    assertTrue(agent.contains("are in /usr/share/doc/rollcall-runtime/docs"), agent);
    assertTrue(agent.contains("(an absolute path; default: /run/rollcall)"), agent);
    assertTrue(read(share.resolve("man/man5/rollcall-gateway.yaml.5")).contains("member_listen"));
    String pam = read(share.resolve("man/man8/pam_rollcall.8"));
    assertTrue(pam.contains("action_adopt_failure"), pam);
    assertTrue(pam.contains("the files that it wrote (pam.md)"), pam);
    assertTrue(pam.contains("(deny, ignore; default: deny)"), pam);
  }

  /** As a reader sees it, in one line. */
  private static String read(Path page) throws IOException, InterruptedException {
    return said("groff", "-man", "-Tascii", "-P-cbou", page.toString()).replaceAll("\\s+", " ");
  }

  @Test
  void aDocumentWithoutItsTableEndsTheBuild(@TempDir Path empty) throws IOException {
    Files.writeString(empty.resolve("configuration.md"), "# nothing\n");
    Files.writeString(empty.resolve("pam.md"), "# nothing\n");
    assertThrows(IllegalArgumentException.class, () -> Shipped.write(empty, empty));
  }
}
