package dev.rollcall.deploy.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** Runs shell commands in a folder, whose {@code bin} comes first in the PATH. */
record Script(Path folder) {
  private static final long PATIENCE_SECONDS = 60;

  /** What was said, on both streams, and the exit status. */
  record Ran(int status, String said) {}

  /** Puts a command in the way of the system's. */
  Script fake(String name, String body) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return this;
  }

  /**
   * In a mount namespace of its own: what is mounted there is gone with it.
   *
   * @param java the value of JAVA_HOME
   */
  Ran run(String java, String commands) throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder("unshare", "--mount", "sh", "-euc", commands).redirectErrorStream(true);
    builder.directory(folder.toFile());
    builder.environment().put("JAVA_HOME", java);
    builder
        .environment()
        .merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    Process process = builder.start();
    process.getOutputStream().close();
    try (var output = process.inputReader()) {
      String said = output.readAllAsString();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running after " + PATIENCE_SECONDS + " s: " + commands);
      }
      return new Ran(process.exitValue(), said);
    }
  }
}
