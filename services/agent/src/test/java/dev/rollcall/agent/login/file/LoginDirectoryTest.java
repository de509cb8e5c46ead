package dev.rollcall.agent.login.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginDirectoryTest {
  private static final String HOLDS =
      """
      import fcntl, sys
      lock = open(sys.argv[1], "w")
      fcntl.lockf(lock, fcntl.LOCK_EX)
      print("held", flush=True)
      sys.stdin.read()
      """;

  @TempDir private Path temp;

  @Test
  void anothersPermissionsArePutRight() throws IOException {
    Path directory = temp.resolve("login");
    List<Path> all = List.of(directory, directory.resolve("users"), directory.resolve("jobs"));
    for (Path each : all) {
      Files.createDirectory(each);
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    try (var files = new LoginDirectory(directory)) {
      files.make();
      for (Path each : all) {
        assertEquals(
            "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(each)));
      }
    }
  }

  @Test
  void twoAgentsDoNotHoldOneDirectory() throws Exception {
    try (var files = new LoginDirectory(temp)) {
      files.make();
      Path lock = temp.resolve("agent.lock");
      Process other =
          new ProcessBuilder("/usr/bin/python3", "-c", HOLDS, lock.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      assertEquals("held", other.inputReader().readLine());
      assertEquals(
          "another agent holds " + lock, assertThrows(IOException.class, files::hold).getMessage());
      other.getOutputStream().close();
      other.waitFor();
      files.hold();
    }
  }
}
