package dev.rollcall.linux.process;

import java.io.IOException;
import java.util.List;

/** Processes that tests start. */
final class Children {
  private Children() {}

  static Process sleeping() throws IOException {
    return new ProcessBuilder("sleep", "60").start();
  }

  /** Runs perl, which every Debian has. */
  static Process perl(String script, String... arguments) throws IOException {
    List<String> command = new java.util.ArrayList<>(List.of("perl", "-e", script));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
