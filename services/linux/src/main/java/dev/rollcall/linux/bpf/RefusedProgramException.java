package dev.rollcall.linux.bpf;

import dev.rollcall.linux.ErrnoException;
import java.io.IOException;
import java.util.List;

/** The verifier rejected a program, or this process may not load one. */
public final class RefusedProgramException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final int LINES = 4;

  RefusedProgramException(String name, int errno, String log) {
    super(
        new ErrnoException("bpf", "PROG_LOAD " + name, errno).getMessage()
            + (log.isBlank() ? "" : ": " + end(log)));
  }

  private static String end(String log) {
    List<String> lines =
        log.lines().filter(line -> !line.isBlank() && !line.startsWith("processed ")).toList();
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
  }
}
