package dev.rollcall.deploy.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    script = new Script(folder);
  }

  @Test
  void theShippedOneStartsTheCommand() throws Exception {
    Script.Ran ran = script.run(JDK, SHIPPED + " --version");
    assertEquals(0, ran.status(), ran.said());
    assertTrue(ran.said().matches("rollcall [0-9.]+\\n"), ran.said());
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

  @Test
  void theOneOfTheSourcesSaysWhatItFoundInsteadOfAJdk() throws Exception {
    String old =
        """
        mount -t tmpfs none /usr/lib/jvm
        mkdir /usr/lib/jvm/old
        echo 'JAVA_VERSION="17.0.1"' >/usr/lib/jvm/old/release
        ./rollcall jobs
        """;
    Script.Ran ran = script.run("", old);
    assertEquals(1, ran.status());
    assertTrue(ran.said().contains("/usr/lib/jvm/old (17.0.1)"), ran.said());
    assertTrue(ran.said().contains("no JDK 25"), ran.said());
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
            "echo \"apt-get $1\" >>log; [ \"$1\" = update ] || { cat /usr/sbin/policy-rc.d >>log; /usr/sbin/policy-rc.d || echo $? >>log; }")
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
