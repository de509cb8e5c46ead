package dev.rollcall.load.container;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The system's commands. */
final class Commands {
  private Commands() {}

  /**
   * Runs one to its end.
   *
   * @throws IOException with what it said, if its status is not 0
   */
  static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(command[0] + " ended with status " + status + ": " + said.strip());
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException(command[0] + " was interrupted", e);
    }
  }
}
