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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The repository for dnf, by Debian's dnf and rpm. There is no repository of RHEL, so an empty
 * package provides what RHEL's packages would.
 */
@RunsOn(
    system = "an empty root, by Debian's dnf and rpm",
    kernel = "6.18",
    tests = "packages from a signed repository for dnf; nothing of them is started")
@Tag("machine")
@ExtendWith(Packages.Once.class)
class DnfRepositoryTest {
  private static final String MODULE = "rpm/pam_rollcall-0.1.0-1.x86_64.rpm";
  private static final String INDEX = "rpm/repodata/repomd.xml";

  @TempDir private static Path folder = Path.of("");
  private static SignedRepository repository = new SignedRepository(folder, folder);

  @TempDir private Path system = Path.of("");

  @BeforeAll
  static void make(Packages packages) throws IOException {
    repository = SignedRepository.make(folder, packages);
  }

  @AfterAll
  static void endTheAgent() {
    repository.close();
  }

  /** A repository with the empty package. */
  private Path base(String glibc) throws IOException {
    Path base = Files.createDirectories(system.resolve("base"));
    Path spec =
        Files.writeString(
            system.resolve("base.spec"),
            """
            Name: base
            Version: 1
            Release: 1
            Summary: Provides what packages of RHEL would
            License: None
            BuildArch: noarch
            Provides: glibc = %s
            Provides: libpam.so.0()(64bit)
            Provides: /bin/sh
            %%description
            %%files
            """
                .formatted(glibc));
    Command.say(
        "rpmbuild",
        "-bb",
        "--quiet",
        "--define",
        "_topdir " + system.resolve("build"),
        "--define",
        "_rpmdir " + base,
        spec.toString());
    Command.say("createrepo_c", "--quiet", base.toString());
    return base;
  }

  /** With the file of the page, and the public key of the first repository. */
  private Command.Ran install(Path from, String glibc) throws IOException {
    String site = "https://repo.alps.example/rollcall";
    String page =
        CodeBlock.beginning(SourceTree.ROOT.resolve("docs/install.md"), "[rollcall]")
            .text()
            .replace(site + "/rollcall.asc", "file://" + repository.folder() + "/rollcall.asc")
            .replace(site, "file://" + from);
    String empty = "[base]\nname=base\ngpgcheck=0\nbaseurl=file://" + base(glibc) + "\n";
    Path files = Files.createDirectories(system.resolve("repos"));
    Files.writeString(files.resolve("rollcall.repo"), page);
    Files.writeString(files.resolve("base.repo"), empty);
    return Command.run(
        system,
        Map.of("LC_ALL", "C.UTF-8"),
        "dnf",
        "-y",
        "--installroot=" + system.resolve("root"),
        "--setopt=reposdir=" + files,
        "--setopt=cachedir=" + system.resolve("cache"),
        "--releasever=8",
        "install",
        "rollcall",
        "pam_rollcall");
  }

  private void assertRefused(Command.Ran ran, String why) {
    assertNotEquals(0, ran.status(), ran::said);
    assertTrue(ran.said().contains(why), ran::said);
    assertTrue(Files.notExists(system.resolve("root/usr/lib64/security")), ran::said);
  }

  @Test
  void anRpmSystemInstallsFromIt() throws IOException {
    Command.Ran ran = install(repository.folder(), "2.28");

    assertEquals(0, ran.status(), ran::said);
    Path root = system.resolve("root");
    for (String file :
        List.of("usr/lib64/security/pam_rollcall.so", "usr/bin/rollcall", "usr/lib/rollcall/jre")) {
      assertTrue(Files.exists(root.resolve(file)), file);
    }
  }

  @Test
  void anOlderGlibcThanThatOfRhel8IsRefused() throws IOException {
    assertRefused(install(repository.folder(), "2.27"), "nothing provides glibc >= 2.28");
  }

  @Test
  void aChangedPackageIsRefused() throws IOException {
    assertRefused(
        install(repository.damaged(system.resolve("changed"), MODULE), "2.28"),
        "has incorrect checksum");
  }

  @Test
  void aChangedIndexIsRefused() throws IOException {
    Path changed =
        repository.changed(system.resolve("changed"), INDEX, "primary.xml", "primery.xml");

    assertRefused(install(changed, "2.28"), "Bad GPG signature");
  }

  @Test
  void aRepositoryOfAnotherKeyIsRefused(Packages packages) throws IOException {
    try (var other =
        SignedRepository.make(Files.createDirectory(system.resolve("other")), packages)) {
      assertRefused(install(other.folder(), "2.28"), "Bad GPG signature");
    }
  }

  @Test
  void anUnsignedRepositoryIsRefused(Packages packages) throws IOException {
    Path unsigned = system.resolve("unsigned");
    Command.Ran made =
        repository.script("--unsigned", packages.folder().toString(), unsigned.toString());
    assertEquals(0, made.status(), made::said);

    assertRefused(install(unsigned, "2.28"), "repomd.xml.asc");
  }
}
