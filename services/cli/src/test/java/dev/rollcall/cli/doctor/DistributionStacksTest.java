package dev.rollcall.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.doctor.Finding.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stacks of distributions, with the changes of docs/migrating-from-pam_slurm_adopt.md. */
class DistributionStacksTest {
  private static final Path STACKS = Path.of("src/test/resources/dev/rollcall/cli/doctor/stacks");
  private static final String ACCOUNT = "account    required     pam_rollcall.so";
  private static final String SESSION = "session    required     pam_rollcall.so";

  @TempDir private Path root = Path.of("");

  /** A system with the files of one distribution. */
  private void install(String distribution) throws IOException {
    Path from = STACKS.resolve(distribution);
    List<Path> files;
    try (Stream<Path> all = Files.walk(from)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      Path to = root.resolve(from.relativize(file).toString());
      Files.createDirectories(to.getParent());
      Files.copy(file, to);
    }
  }

  private List<PamLine> stack() {
    return switch (new NodeReader(root).pam()) {
      case Seen.Got<List<PamLine>>(var lines) -> lines;
      case Seen.Not<List<PamLine>>(var why) -> throw new AssertionError(why);
    };
  }

  private List<String> modules(String type) {
    return stack().stream().filter(line -> line.type().equals(type)).map(PamLine::module).toList();
  }

  private Finding finding(String id) {
    return PamChecks.of(stack(), false).stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private List<String> sshd() throws IOException {
    Path own = root.resolve("etc/pam.d/sshd");
    Path distribution = root.resolve("usr/lib/pam.d/sshd");
    return new ArrayList<>(Files.readAllLines(Files.exists(own) ? own : distribution));
  }

  /** The administrator's file, also where the distribution's is elsewhere. */
  private void write(List<String> sshd) throws IOException {
    Files.write(root.resolve("etc/pam.d/sshd"), sshd);
  }

  private static boolean includesAccount(String line) {
    return line.matches("@include common-account|account\\s+(include|substack)\\s+\\S+");
  }

  private void addLines(String include) throws IOException {
    List<String> sshd = sshd();
    sshd.replaceAll(line -> includesAccount(line) ? changed(line, include) : line);
    int at = sshd.indexOf(sshd.stream().filter(line -> includesAccount(line)).findFirst().get());
    sshd.add(at + 1, ACCOUNT);
    sshd.add(SESSION);
    write(sshd);
  }

  private static String changed(String line, String include) {
    String file = line.replaceFirst(".*\\s", "");
    return include.isEmpty() ? line : "account    " + include + "     " + file;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rhel",
        "rhel-sssd",
        "ubuntu",
        "ubuntu-sssd",
        "sles-15",
        "sles-15-sssd",
        "sles-16"
      })
  void theLinesOfTheMigrationPageAreGood(String distribution) throws IOException {
    install(distribution);
    addLines("substack");

    assertEquals("pam_rollcall.so", modules("account").getLast());
    assertEquals("pam_rollcall.so", modules("session").getLast());
    assertTrue(modules("account").contains("pam_unix.so"), modules("account")::toString);
    assertTrue(modules("session").contains("pam_systemd.so"), modules("session")::toString);
    for (Finding finding : PamChecks.of(stack(), false)) {
      assertEquals(State.GOOD, finding.state(), finding.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rhel", "ubuntu", "sles-15", "sles-16"})
  void withoutSssdAnIncludeIsGoodToo(String distribution) throws IOException {
    install(distribution);
    addLines("");

    for (Finding finding : PamChecks.of(stack(), false)) {
      assertEquals(State.GOOD, finding.state(), finding.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rhel",
        "rhel-sssd",
        "ubuntu",
        "ubuntu-sssd",
        "sles-15",
        "sles-15-sssd",
        "sles-16"
      })
  void aStackWithoutOurLinesIsNamed(String distribution) throws IOException {
    install(distribution);

    assertEquals(State.WARNING, finding("pam.account").state());
    assertEquals(State.UNSEEN, finding("pam.session").state());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rhel-sssd", "ubuntu-sssd", "sles-15-sssd"})
  void withSssdAnIncludedFileAdmitsLocalUsersBeforeOurLine(String distribution) throws IOException {
    install(distribution);
    addLines("");

    Finding before = finding("pam.account.before");
    assertEquals(State.WARNING, before.state());
    assertTrue(before.toString().contains("pam_localuser.so"), before.toString());
    assertTrue(before.toString().contains("substack"), before.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rhel", "ubuntu", "sles-15", "sles-16"})
  void aSessionLineBeforePamSystemdIsNamed(String distribution) throws IOException {
    install(distribution);
    List<String> sshd = sshd();
    sshd.add(
        sshd.indexOf(sshd.stream().filter(line -> line.startsWith("session")).findFirst().get()),
        SESSION);
    write(sshd);

    Finding after = finding("pam.session.after");
    assertEquals(State.BAD, after.state());
    assertTrue(after.toString().contains("pam_systemd.so"), after.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rhel", "ubuntu", "sles-15"})
  void aHyphenBeforeOurLinesIsNamed(String distribution) throws IOException {
    install(distribution);
    addLines("substack");
    List<String> sshd = sshd();
    sshd.replaceAll(line -> line.contains("pam_rollcall") ? "-" + line : line);
    write(sshd);

    assertEquals(State.WARNING, finding("pam.account").state());
    assertEquals(State.WARNING, finding("pam.session").state());
    assertTrue(finding("pam.account").toString().contains("'-account'"));
    assertTrue(finding("pam.session").toString().contains("'-session'"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rhel", "ubuntu", "sles-15"})
  void administratorsWhoAreAdmittedBeforeAreNamed(String distribution) throws IOException {
    install(distribution);
    addLines("substack");
    List<String> sshd = sshd();
    sshd.add(sshd.indexOf(ACCOUNT), "account    sufficient   pam_access.so");
    write(sshd);

    Finding before = finding("pam.account.before");
    assertEquals(State.GOOD, before.state());
    assertTrue(before.toString().contains("pam_access.so"), before.toString());
  }

  /** authselect overwrites that file; and sshd's stack goes on after it. */
  @Test
  void linesInPasswordAuthAreFoundWithWhatComesAfterThem() throws IOException {
    install("rhel");
    Path included = root.resolve("etc/pam.d/password-auth");
    Files.writeString(included, Files.readString(included) + ACCOUNT + "\n" + SESSION + "\n");

    assertEquals(State.GOOD, finding("pam.account").state());
    assertEquals(State.WARNING, finding("pam.session.after").state());
    assertTrue(finding("pam.session.after").toString().contains("pam_lastlog.so"));
  }

  /** Within the same substack the rest is skipped, pam.conf(5). */
  @Test
  void aSufficientLineEndsItsOwnSubstack() throws IOException {
    install("rhel-sssd");
    Path included = root.resolve("etc/pam.d/password-auth");
    Files.writeString(included, Files.readString(included) + ACCOUNT + "\n");
    List<String> sshd = sshd();
    sshd.replaceAll(line -> includesAccount(line) ? changed(line, "substack") : line);
    write(sshd);

    assertEquals(State.WARNING, finding("pam.account.before").state());
  }

  @Test
  void thePageHasTheLinesOfEachFamily() throws IOException {
    String page = Files.readString(Path.of("../../docs/migrating-from-pam_slurm_adopt.md"));
    for (String file : List.of("password-auth", "common-account")) {
      String lines = "account    substack     " + file + "\n" + ACCOUNT + "\n";
      assertTrue(page.contains(lines), lines);
    }
  }
}
