package dev.rollcall.lab.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the logs of the cluster's processes, to explain a failure. */
final class Logs {
  private static final int LINES = 25;

  private Logs() {}

  /** The file's name and its last lines. */
  static String tail(Path log) {
    try {
      // A log may end in the middle of a character: decode leniently.
      List<String> lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - LINES), lines.size());
      return log + ":\n  " + String.join("\n  ", last);
    } catch (IOException e) {
      return log + ": not readable";
    }
  }
}
