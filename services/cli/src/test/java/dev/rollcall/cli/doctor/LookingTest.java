package dev.rollcall.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookingTest {
  @TempDir private Path root = Path.of("");

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private static String why(Seen<?> seen) {
    return assertInstanceOf(Seen.Not.class, seen).why();
  }

  @Test
  void readsTheStackWithItsIncludes() throws IOException {
    write("etc/pam.d/sshd", "@include common-account\naccount required pam_rollcall.so\n");
    write("etc/pam.d/common-account", "account required pam_unix.so\n");
    Seen<List<PamLine>> seen = new Looking(root).pam();
    assertEquals(
        List.of("pam_unix.so", "pam_rollcall.so"),
        ((Seen.Got<List<PamLine>>) seen).value().stream().map(PamLine::module).toList());
  }

  @Test
  void saysWhichFileIsNotThere() {
    assertTrue(why(new Looking(root).pam()).contains("etc/pam.d/sshd"));
    assertTrue(why(new Looking(root).mounts()).contains("proc/self/mounts"));
  }

  @Test
  void readsTheControllersWhereV2IsMounted() throws IOException {
    write("proc/self/mounts", "cgroup2 /cg cgroup2 rw 0 0\n");
    write("cg/cgroup.controllers", "cpu memory\n");
    assertEquals(new Seen.Got<>("cpu memory\n"), new Looking(root).controllers());
  }

  @Test
  void saysThatV2IsNotMounted() throws IOException {
    write("proc/self/mounts", "tmpfs /tmp tmpfs rw 0 0\n");
    assertEquals(
        "controllers of cgroup v2: it is not mounted", why(new Looking(root).controllers()));
  }

  @Test
  void namesThoseThatLinger() throws IOException {
    assertEquals(new Seen.Got<>(List.of()), new Looking(root).lingering());
    write("var/lib/systemd/linger/alice", "");
    assertEquals(new Seen.Got<>(List.of("alice")), new Looking(root).lingering());
  }

  @Test
  void tellsOwnerAndModeOfAFileAndThatItIsMissing() throws IOException {
    write("key.pem", "");
    Path key = root.resolve("key.pem");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    int uid = (Integer) Files.getAttribute(key, "unix:uid");
    assertEquals(new FileSeen.There(key, uid, 0640), Looking.file(key));
    Path none = root.resolve("none");
    assertEquals(new FileSeen.Missing(none), Looking.file(none));
    assertEquals(new FileSeen.Missing(none), Looking.certificate(none));
    assertInstanceOf(FileSeen.Unreadable.class, Looking.certificate(key));
  }

  @Test
  void takesTheDefaultsWithoutAConfigurationAndNamesAMistake() throws IOException {
    var looking = new Looking(root);
    Path file = root.resolve("agent.yaml");
    assertEquals(
        Path.of("/run/rollcall"),
        ((Seen.Got<AgentSettings>) looking.settings(file)).value().runDirectory());
    write(
        "agent.yaml",
        "run_directory: /r\nuser_manager: adopt\ntls: {ca: a, certificate: b, key: c}\n");
    AgentSettings read = ((Seen.Got<AgentSettings>) looking.settings(file)).value();
    assertEquals(Path.of("/r"), read.runDirectory());
    assertEquals("adopt", read.userManager());
    assertEquals(Path.of("c"), read.tls().orElseThrow().key());
    write("agent.yaml", "tls: {ca: a}\n");
    assertTrue(why(looking.settings(file)).contains("'certificate' is missing"));
  }

  @Test
  void saysThatTheAgentCannotBeAsked() {
    assertTrue(why(Looking.agent("127.0.0.1:1")).contains("http://127.0.0.1:1/health/ready"));
  }
}
