package dev.rollcall.lab.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.docs.CodeBlock;
import dev.rollcall.testkit.docs.RunsOn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The repository for apt, from which a minimal Debian 12 installs. */
@RunsOn(
    system = "Debian 12, a minimal chroot",
    kernel = "6.18",
    tests = "packages from a signed repository for apt")
@Tag("machine")
@ExtendWith(Packages.Once.class)
class AptRepositoryTest {
  private static final Path PAGE = SourceTree.ROOT.resolve("docs/install.md");
  private static final String IN_RELEASE = "apt/dists/stable/InRelease";
  private static final String MODULE = "apt/pool/libpam-rollcall_0.1.0_amd64.deb";

  @TempDir private static Path folder = Path.of("");
  private static Path debian = Path.of("");
  private static SignedRepository repository = new SignedRepository(debian, debian);

  @BeforeAll
  static void make(Packages packages) throws IOException {
    debian = folder.resolve("debian");
    Command.say(
        "mmdebstrap",
        "--quiet",
        "--variant=apt",
        "--dpkgopt=force-unsafe-io",
        "bookworm",
        debian.toString(),
        "http://deb.debian.org/debian");
    repository = SignedRepository.make(Files.createDirectory(folder.resolve("made")), packages);
  }

  /** JUnit would report each of the links of Debian that it deletes. */
  @AfterAll
  static void remove() {
    repository.close();
    Command.say("rm", "-rf", "--one-file-system", debian.toString());
  }

  /** A place in the Debian for a repository. */
  private static Path place(String name) {
    return debian.resolve("srv").resolve(name);
  }

  /** What a site writes, docs/install.md, and nothing else: other repositories are not asked. */
  private static Command.Ran update(Path from) throws IOException {
    Path apt = debian.resolve("etc/apt");
    Path key = Files.createDirectories(apt.resolve("keyrings")).resolve("rollcall.asc");
    Files.write(key, Files.readAllBytes(repository.folder().resolve("rollcall.asc")));
    Files.deleteIfExists(apt.resolve("sources.list"));
    Files.writeString(
        apt.resolve("sources.list.d/rollcall.list"),
        "deb [signed-by=/etc/apt/keyrings/rollcall.asc] file:/"
            + debian.relativize(from)
            + "/apt stable main\n");
    Command.say("sh", "-c", "rm -rf " + debian + "/var/lib/apt/lists/*");
    return inDebian("apt-get", "update");
  }

  private static Command.Ran install(String... packages) {
    String[] words = {"apt-get", "install", "-y", "--no-install-recommends", "--reinstall"};
    return inDebian(Stream.concat(Stream.of(words), Stream.of(packages)).toArray(String[]::new));
  }

  /** With its own /proc, which Java reads. */
  private static Command.Ran inDebian(String... words) {
    String script = "mount -t proc proc \"$0/proc\" && exec chroot \"$0\" \"$@\"";
    var command =
        Stream.concat(
            Stream.of(
                "unshare", "--mount", "--pid", "--fork", "sh", "-c", script, debian.toString()),
            Stream.of(words));
    return Command.run(
        Path.of("."),
        Map.of("DEBIAN_FRONTEND", "noninteractive", "LC_ALL", "C.UTF-8", "JAVA_HOME", ""),
        command.toArray(String[]::new));
  }

  private static Command.Ran good(Command.Ran ran) {
    assertEquals(0, ran.status(), ran::said);
    return ran;
  }

  @Test
  void aMinimalDebianInstallsFromIt() throws IOException {
    Command.say("cp", "-rl", repository.folder().toString(), place("good").toString());

    good(update(place("good")));
    good(install("rollcall", "libpam-rollcall"));

    assertEquals("rollcall 0.1.0\n", good(inDebian("rollcall", "--version")).said());
    String file = "usr/lib/x86_64-linux-gnu/security/pam_rollcall.so";
    assertTrue(Files.exists(debian.resolve(file)), file);
  }

  /** curl copies here, and apt only updates: the rest needs Debian's own repositories. */
  @Test
  void theCommandsOfThePageAddTheRepository() throws IOException {
    Command.say("cp", "-rl", repository.folder().toString(), place("page").toString());
    String commands =
        CodeBlock.beginning(PAGE, "install -d /etc/apt/keyrings")
            .text()
            .replace("https://repo.alps.example/rollcall", "file:/srv/page");
    String standIns =
        """
        set -eu
        rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/* /etc/apt/keyrings /var/lib/apt/lists/*
        curl() { cp "${3#file:}" "$2"; }
        apt() { if [ "$1" = update ]; then apt-get update; else apt-cache policy "$2" "$3"; fi; }
        """;

    String said = good(inDebian("sh", "-c", standIns + commands)).said();

    assertTrue(said.matches("(?s).*rollcall-agent:.*Candidate: 0.1.0.*"), said);
    assertTrue(said.matches("(?s).*libpam-rollcall:.*Candidate: 0.1.0.*"), said);
  }

  @Test
  void aChangedPackageIsRefused() throws IOException {
    good(update(repository.damaged(place("package"), MODULE)));

    Command.Ran ran = install("libpam-rollcall");

    assertNotEquals(0, ran.status(), ran::said);
    assertTrue(ran.said().contains("Hash Sum mismatch"), ran::said);
  }

  @Test
  void aChangedReleaseIsRefused() throws IOException {
    Command.Ran ran =
        update(repository.changed(place("release"), IN_RELEASE, "Suite: stable", "Suite: sta8le"));

    assertNotEquals(0, ran.status(), ran::said);
    assertTrue(ran.said().contains("BADSIG"), ran::said);
  }

  @Test
  void aRepositoryOfAnotherKeyIsRefused(Packages packages) throws IOException {
    try (var other =
        SignedRepository.make(Files.createDirectory(folder.resolve("other")), packages)) {
      Command.say("cp", "-rl", other.folder().toString(), place("other").toString());
      Command.Ran ran = update(place("other"));

      assertNotEquals(0, ran.status(), ran::said);
      assertTrue(ran.said().contains("NO_PUBKEY"), ran::said);
    }
  }

  @Test
  void anUnsignedRepositoryIsRefused(Packages packages) throws IOException {
    good(
        repository.script(
            "--unsigned", packages.folder().toString(), place("unsigned").toString()));

    Command.Ran ran = update(place("unsigned"));

    assertNotEquals(0, ran.status(), ran::said);
    assertTrue(ran.said().contains("is not signed"), ran::said);
  }

  @Test
  void withoutAKeyNoneIsMade(Packages packages) {
    Path nowhere = folder.resolve("nowhere");
    Command.Ran none = repository.script(packages.folder().toString(), nowhere.toString());
    Command.Ran unknown =
        repository.script("--key", "nobody", packages.folder().toString(), nowhere.toString());

    assertNotEquals(0, none.status(), none::said);
    assertTrue(none.said().contains("--unsigned"), none::said);
    assertNotEquals(0, unknown.status(), unknown::said);
    assertTrue(unknown.said().contains("gpg has no secret key nobody"), unknown::said);
    assertTrue(Files.notExists(nowhere), nowhere::toString);
  }

  /** Before it builds anything. */
  @Test
  void theLauncherNamesAMissingKey() {
    String launcher = SourceTree.ROOT.resolve("rollcall").toAbsolutePath().toString();
    Path nowhere = folder.resolve("nowhere");
    Command.Ran none =
        Command.run(folder, Map.of(), launcher, "package", "--repository", nowhere.toString());
    Command.Ran useless = Command.run(folder, Map.of(), launcher, "package", "--unsigned");

    assertEquals(1, none.status(), none::said);
    assertTrue(none.said().contains("a repository needs --key ID"), none::said);
    assertEquals(1, useless.status(), useless::said);
    assertTrue(useless.said().contains("only for --repository"), useless::said);
    assertTrue(Files.notExists(nowhere), nowhere::toString);
  }

  /** A site that can go back to the version before keeps it. */
  @Test
  void laterPackagesAreAddedToThoseThatAreThere(Packages packages) throws IOException {
    Path kept = Files.createDirectory(folder.resolve("kept"));
    for (Packages one : List.of(packages, packages.later())) {
      good(
          repository.script(
              "--key", SignedRepository.KEY, one.folder().toString(), kept.toString()));
    }

    String index = Files.readString(kept.resolve("apt/dists/stable/main/binary-amd64/Packages"));
    assertTrue(index.contains("Version: 0.1.0\n"), index);
    assertTrue(index.contains("Version: 0.1.0+2\n"), index);
    assertEquals(
        "2\n",
        Command.say("sh", "-c", "ls " + kept + "/rpm/pam_rollcall-0.1.0-[12].x86_64.rpm | wc -l"));
    try (var files = Files.list(kept)) {
      assertEquals(
          List.of("apt", "rollcall.asc", "rpm"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }
}
