package dev.rollcall.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of this machine to its end. */
final class Tool {
  private static final int TAIL = 20;

  private Tool() {}

  /** Returns its standard output; what it says on the other is in the failure's message. */
  static String run(Duration within, List<String> argv) throws IOException {
    Path out = Files.createTempFile("rollcall-vm", ".out");
    Path err = Files.createTempFile("rollcall-vm", ".err");
    try {
      int status = status(within, argv, out, err);
      if (status != 0) {
        throw new VmException(
            "%s ended with %d: %s".formatted(String.join(" ", argv), status, tail(err)));
      }
      return Files.readString(out);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static int status(Duration within, List<String> argv, Path out, Path err)
      throws IOException {
    Process process =
        new ProcessBuilder(argv).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    try {
      if (process.waitFor(within.toSeconds(), TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      throw new VmException("not over after " + within + ": " + String.join(" ", argv));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new VmException("interrupted while waiting for " + argv, e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  static String tail(Path file) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    List<String> lines = new String(Files.readAllBytes(file), Tool.charset()).lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }

  /** Any byte is a character: a console is no text. */
  private static java.nio.charset.Charset charset() {
    return java.nio.charset.StandardCharsets.ISO_8859_1;
  }
}
