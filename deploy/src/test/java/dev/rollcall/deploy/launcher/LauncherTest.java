package dev.rollcall.deploy.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("root")
class LauncherTest {
  private static final String SHIPPED =
      Path.of("target/rollcall/bin/rollcall").toAbsolutePath().toString();
  private static final String JDK = System.getProperty("java.home");

  @TempDir private Path folder = Path.of("");
  private Script script = new Script(folder);

  /** A copy of the launcher in a folder where there is nothing to build. */
  @BeforeEach
  void copy() throws IOException {
    Files.copy(
        Path.of("../rollcall"), folder.resolve("rollcall"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.createDirectories(folder.resolve("services/lab/lint"));
    for (String part : List.of("services/lab/tiers.sh", "services/lab/lint/lints.sh")) {
      Files.copy(Path.of("..").resolve(part), folder.resolve(part));
    }
    script = new Script(folder);
  }

  @Test
  void theShippedOneStartsTheCommand() throws Exception {
    Script.Ran ran = script.run(JDK, SHIPPED + " --version");
    assertEquals(0, ran.status(), ran.said());
    assertTrue(ran.said().matches("rollcall [0-9.]+\\n"), ran.said());
  }

  /** As shared login nodes have them. */
  @Test
  void theShippedOneStartsUnderTheLimitsOfLoginNodes() throws Exception {
    String few =
        "rollcall: the limit of open files is 64, and the command needs 96: ulimit -n 96\n";
    Script.Ran ran = script.run(JDK, "ulimit -v 1750000; " + SHIPPED + " jobs --help");
    assertEquals(0, ran.status(), ran.said());
    assertEquals(
        new Script.Ran(1, few), script.run(JDK, "ulimit -n 64; " + SHIPPED + " jobs --help"));
  }

  @Test
  void theShippedOneFailsIfItsOutputIsCut() throws Exception {
    Script.Ran full = script.run(JDK, SHIPPED + " completion bash > /dev/full");
    assertEquals("rollcall: the output could not be written to its end\n", full.said());
    assertEquals(1, full.status());

    Script.Ran closed =
        script.run(JDK, "{ " + SHIPPED + " completion bash; echo $? > status; } | head -n 1");
    assertEquals("# shellcheck shell=bash\n", closed.said());
    String status = Files.readString(folder.resolve("status"));
    assertEquals("0\n", status, "a reader that went away has what it wanted");
  }

  @Test
  void theShippedOnePrintsTheCompletionOfEachShell() throws Exception {
    Script.Ran zsh = script.run(JDK, SHIPPED + " completion zsh");
    assertTrue(zsh.said().startsWith("#compdef rollcall\n"), zsh.said());
    Script.Ran fish = script.run(JDK, SHIPPED + " completion fish");
    assertTrue(fish.said().contains("\ncomplete -c rollcall "), fish.said());
  }

  @Test
  void theShippedOneSaysWhereItLookedForJava() throws Exception {
    Script.Ran ran =
        script.run("/nowhere", "mount -t tmpfs none /usr/lib/jvm; " + SHIPPED + " --version");
    assertEquals(1, ran.status());
    assertTrue(
        ran.said()
            .startsWith("rollcall: no Java 25. Looked at JAVA_HOME (/nowhere), /usr/lib/jvm/*"),
        ran.said());
  }

  /** A copy of what is shipped, whose runtime prints its words. */
  private Path withRuntime() throws IOException {
    Path home = folder.resolve("dist");
    for (String made : List.of("bin", "jre/bin", "jre/lib", "lib/agent", "lib/cli")) {
      Files.createDirectories(home.resolve(made));
    }
    Files.copy(Path.of(SHIPPED), home.resolve("bin/rollcall"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(home.resolve("jre/release"), "JAVA_VERSION=\"25.0.3\"\n");
    script.fake("java", "printf '%s\\n' \"$@\"");
    Files.copy(
        folder.resolve("bin/java"),
        home.resolve("jre/bin/java"),
        StandardCopyOption.COPY_ATTRIBUTES);
    for (String jar : List.of("b.jar", "a.jar", "C.jar")) {
      Files.writeString(home.resolve("lib/cli").resolve(jar), "");
      Files.writeString(home.resolve("lib/agent").resolve(jar), "");
    }
    return home;
  }

  @Test
  void theShippedOneTakesItsOwnRuntimeAndWhatIsKeptThere() throws Exception {
    Path home = withRuntime();
    Files.writeString(home.resolve("jre/lib/rollcall-cli.aot"), "");
    List<String> cli = script.run(JDK, "dist/bin/rollcall nodes").said().lines().toList();
    assertTrue(cli.contains("-XX:AOTCache=" + home + "/jre/lib/rollcall-cli.aot"), cli::toString);
    String jars = "%1$s/lib/cli/C.jar:%1$s/lib/cli/a.jar:%1$s/lib/cli/b.jar".formatted(home);
    assertEquals(jars, cli.get(cli.indexOf("-cp") + 1));
    List<String> agent = script.run(JDK, "dist/bin/rollcall agent").said().lines().toList();
    assertTrue(agent.stream().noneMatch(word -> word.contains("AOT")), agent::toString);
  }

  @Test
  void theShippedOneNamesTheArchitectureOfItsPackage() throws Exception {
    Path home = withRuntime();
    Path release = home.resolve("jre/release");
    Files.writeString(release, "JAVA_VERSION=\"25.0.3\"\nOS_ARCH=\"vax\"\n");
    String machine = script.run(JDK, "uname -m").said().strip();
    for (String words : List.of("agent", "gateway", "nodes", "ssh node2")) {
      Script.Ran ran = script.run(JDK, "dist/bin/rollcall " + words);
      assertEquals(
          "rollcall: %s is for vax, and this machine is %s: install Rollcall's package for %s\n"
              .formatted(home, machine, machine),
          ran.said());
      assertEquals(1, ran.status());
    }
    Files.writeString(release, "JAVA_VERSION=\"25.0.3\"\nOS_ARCH=\"" + machine + "\"\n");
    assertTrue(script.run(JDK, "dist/bin/rollcall nodes").said().startsWith("-XX:"));
  }

  /** A Java of the site's would start there, and call other system calls than it should. */
  @Test
  void aMachineOfAnUnknownArchitectureIsNamed() throws Exception {
    Path launcher = withRuntime().resolve("bin/rollcall");
    Path kernel = Files.writeString(folder.resolve("arch"), "riscv64\n");
    String text = Files.readString(launcher);
    Files.writeString(launcher, text.replace("/proc/sys/kernel/arch", kernel.toString()));
    Script.Ran ran = script.run(JDK, "dist/bin/rollcall agent");
    assertEquals(
        "rollcall: this machine is riscv64, and Rollcall runs on x86_64 and aarch64 only\n",
        ran.said());
    assertEquals(1, ran.status());
  }

  /** By a symbolic link too, as packages have it; what is not there does not stop the command. */
  @Test
  void theShippedOneHandsShortWordsToTheProgramThatHasThem() throws Exception {
    Path home = withRuntime();
    Files.createDirectories(home.resolve("lib/brief"));
    Files.createSymbolicLink(folder.resolve("linked"), home.resolve("bin/rollcall"));
    script.fake("rollcall-brief", "printf '%s|' \"$@\"");
    assertTrue(script.run(JDK, "dist/bin/rollcall whois a b").said().startsWith("-XX:"));
    Files.copy(
        folder.resolve("bin/rollcall-brief"),
        home.resolve("lib/brief/rollcall-brief"),
        StandardCopyOption.COPY_ATTRIBUTES);
    for (String words : List.of("whois a b", "connect a 1", "job begin 7", "job end 7")) {
      assertEquals(
          ("dist/bin/rollcall " + words + " ").replace(' ', '|'),
          script.run(JDK, "dist/bin/rollcall " + words).said());
      assertEquals(
          (home + "/bin/rollcall " + words + " ").replace(' ', '|'),
          script.run(JDK, "./linked " + words).said());
      assertTrue(script.run(JDK, "ROLLCALL_BRIEF=no ./linked " + words).said().startsWith("-XX:"));
    }
    for (String words : List.of("whoisit", "job list", "jobs", "")) {
      assertTrue(script.run(JDK, "dist/bin/rollcall " + words).said().startsWith("-XX:"), words);
    }
  }

  @Test
  void theShippedOneHasAProgramNoteWhatItLoads() throws Exception {
    Path home = withRuntime();
    Files.writeString(home.resolve("jre/lib/rollcall-agent.aot"), "");
    String practice = "ROLLCALL_PRACTICE=/notes dist/bin/rollcall ";
    List<String> agent = script.run(JDK, practice + "agent").said().lines().toList();
    int at = agent.indexOf("-XX:AOTMode=record");
    assertEquals("-XX:AOTConfiguration=/notes/agent-%p.aotconf", agent.get(at + 1));
    assertFalse(agent.stream().anyMatch(word -> word.contains("AOTCache")), agent::toString);
    List<String> cli = script.run(JDK, practice + "nodes").said().lines().toList();
    assertFalse(cli.stream().anyMatch(word -> word.contains("AOT")), cli::toString);
  }

  /** An empty place of JDKs but for an old one. */
  private static final String NO_JDK =
      """
      mount -t tmpfs none /usr/lib/jvm
      mkdir /usr/lib/jvm/old
      echo 'JAVA_VERSION="17.0.1"' >/usr/lib/jvm/old/release
      """;

  @ParameterizedTest
  @ValueSource(strings = {"demo", "soak"})
  void theShippedOneSaysWhereTheLabIs(String command) throws Exception {
    Script.Ran ran = script.run(JDK, SHIPPED + " " + command + " --once");
    assertEquals(1, ran.status());
    assertEquals(
        "rollcall: %1$s exists only in the source tree: run ./rollcall %1$s there\n"
            .formatted(command),
        ran.said());
  }

  @Test
  void anImageOfAnUnknownProgramIsRefusedBeforeAllElse() throws Exception {
    script.fake("dpkg-query", "echo dpkg-query >>log");
    Script.Ran ran = script.run(JDK, "./rollcall image agnet");
    assertEquals(1, ran.status());
    assertEquals(
        "rollcall: image: 'agnet' is not understood: expected agent, gateway, command, --arch,"
            + " --with or --output\n",
        ran.said());
    assertFalse(Files.exists(folder.resolve("log")));
  }

  @Test
  void debiansJdkIsInstalledBeforeAllElse() throws Exception {
    script
        .fake("apt-cache", "echo '  Candidate: 25.0.5+8-1'")
        .fake("dpkg-query", "exit 1")
        .fake(
            "apt-get",
            """
            [ "$1" != update ] || exit 0
            echo "$*" >>log
            mkdir -p /usr/lib/jvm/new/bin
            ln -sf /bin/true /usr/lib/jvm/new/bin/javac
            echo 'JAVA_VERSION="25.0.5"' >/usr/lib/jvm/new/release
            """);
    Files.createDirectory(folder.resolve("sbin"));
    script.run("", NO_JDK + "mount --bind sbin /usr/sbin; ./rollcall demo || true");
    List<String> installed = Files.readAllLines(folder.resolve("log"));
    assertEquals(
        "install -q -y --no-install-recommends -o APT::Status-Fd=3 openjdk-25-jdk-headless",
        installed.getFirst());
    assertTrue(installed.get(1).contains(" maven "), installed::toString);
  }

  /**
   * setns(2): a process that enters a mount namespace is at its root, which a chroot is not. The
   * launcher is a child of the shell, or the only process of the namespace, which ends when it
   * makes another one.
   */
  @ParameterizedTest
  @ValueSource(strings = {"", "exec "})
  void aChrootBecomesTheRootOfItsMountNamespace(String way) throws Exception {
    script.fake(
        "dpkg-query",
        "{ stat -L -c %d:%i /; nsenter --mount=/proc/self/ns/mnt stat -L -c %d:%i /; } >/x/log;"
            + " printf installed");
    Script.Ran ran =
        script.run(
            JDK,
            """
            mkdir root
            mount -t tmpfs none root
            for dir in bin sbin lib lib64 usr etc proc dev; do
              if [ -L /$dir ]; then cp -P /$dir root/; else mkdir root/$dir; mount --rbind /$dir root/$dir; fi
            done
            mkdir root/x
            mount --bind . root/x
            export PATH=/x/bin:$PATH
            """
                + way
                + "chroot root /x/rollcall demo");
    assertTrue(Files.exists(folder.resolve("log")), ran.said());
    List<String> roots = Files.readAllLines(folder.resolve("log"));
    assertEquals(2, roots.size(), ran.said());
    assertEquals(roots.getFirst(), roots.getLast());
  }

  @Test
  void whoIsNotRootIsToldWhichPackagesAreMissing() throws Exception {
    script.fake("dpkg-query", "case $* in *nanopb) exit 1 ;; *) printf installed ;; esac");
    Files.setPosixFilePermissions(
        folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
    Script.Ran ran =
        script.run(JDK, "exec setpriv --reuid=65534 --regid=65534 --clear-groups ./rollcall demo");
    assertEquals(1, ran.status(), ran.said());
    assertTrue(
        ran.said()
            .contains("packages are missing: nanopb. Run as root, or: apt-get install nanopb"),
        ran.said());
  }

  /** With stand-ins for Debian's tools, and a folder mounted in place of /usr/sbin. */
  private Script.Ran install(String before) throws IOException, InterruptedException {
    script
        .fake("dpkg-query", "case $* in *openssh-server) exit 1 ;; *) printf installed ;; esac")
        .fake(
            "apt-get",
            "echo \"apt-get $1\" >>log; [ \"$1\" = update ] || { cat /usr/sbin/policy-rc.d >>log;"
                + " /usr/sbin/policy-rc.d || echo $? >>log; }")
        .fake("systemctl", "echo \"systemctl $*\" >>log")
        .fake("update-rc.d", "echo \"update-rc.d $*\" >>log");
    Files.createDirectory(folder.resolve("sbin"));
    return script.run(JDK, before + "\nmount --bind sbin /usr/sbin; ./rollcall demo || true");
  }

  @Test
  void noServiceStartsWhileSshdIsInstalledAndItIsLeftOff() throws Exception {
    install("true");
    assertEquals(
        """
        apt-get update
        apt-get install
        #!/bin/sh
        exit 101
        101
        systemctl disable --quiet ssh.service ssh.socket
        update-rc.d ssh disable
        """,
        Files.readString(folder.resolve("log")));
    assertFalse(Files.exists(folder.resolve("sbin/policy-rc.d")));
  }

  @Test
  void theSitesOwnPolicyIsPutBack() throws Exception {
    install("echo site >sbin/policy-rc.d");
    assertEquals("site\n", Files.readString(folder.resolve("sbin/policy-rc.d")));
  }

  /** Installing stopped half-way must not leave a machine on which no service starts any more. */
  @Test
  void aFailedInstallationLeavesNoPolicyBehind() throws Exception {
    script.fake("dpkg-query", "exit 1").fake("apt-get", "[ \"$1\" = update ]");
    Files.createDirectory(folder.resolve("sbin"));
    Script.Ran ran = script.run(JDK, "mount --bind sbin /usr/sbin; ./rollcall demo");
    assertEquals(1, ran.status(), ran.said());
    assertTrue(ran.said().contains("rollcall: apt-get install maven"), ran.said());
    assertFalse(Files.exists(folder.resolve("sbin/policy-rc.d")));
  }

  @Test
  void aTestRunWithoutRootIsRefused() throws Exception {
    Files.setPosixFilePermissions(
        folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
    Script.Ran ran =
        script.run(JDK, "exec setpriv --reuid=65534 --regid=65534 --clear-groups ./rollcall test");
    assertEquals(1, ran.status());
    assertTrue(ran.said().contains("run them as root"), ran.said());
  }
}
