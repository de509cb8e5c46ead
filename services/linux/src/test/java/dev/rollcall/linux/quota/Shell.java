package dev.rollcall.linux.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs lines of bash in a directory, as root or as a user without privileges. */
record Shell(Path directory, int user) {
  static final int NOBODY = 65534;

  static Shell root(Path directory) {
    return new Shell(directory, 0);
  }

  static Shell user(Path directory) {
    return new Shell(directory, NOBODY);
  }

  /** What it ended with, and what it said. */
  record Said(int status, String text) {}

  Said tries(String script) throws IOException {
    List<String> words = new ArrayList<>();
    if (user != 0) {
      String id = Integer.toString(user);
      words.addAll(List.of("setpriv", "--reuid", id, "--regid", id, "--clear-groups"));
    }
    words.addAll(List.of("bash", "-uc", script));
    Path out = Files.createTempFile("rollcall-quota", ".out");
    Process process =
        new ProcessBuilder(words)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      boolean ended = process.waitFor(90, TimeUnit.SECONDS);
      String text = Files.readString(out);
      assertEquals(true, ended, () -> "not over: " + script + ": " + text);
      return new Said(process.exitValue(), text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + script, e);
    } finally {
      process.destroyForcibly();
      Files.delete(out);
    }
  }

  String run(String script) throws IOException {
    Said said = tries("set -e; " + script);
    assertEquals(0, said.status(), () -> script + ": " + said.text());
    return said.text();
  }
}
