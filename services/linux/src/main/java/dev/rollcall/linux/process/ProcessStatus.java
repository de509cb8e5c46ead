package dev.rollcall.linux.process;

import dev.rollcall.linux.KernelText;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user and groups of a process, by the lines {@code Uid} and {@code Gid} of {@code
 * /proc/PID/status}, proc_pid_status(5). Above them stands its name, which it chooses.
 */
public record ProcessStatus(int realUid, int effectiveUid, int realGid) {
  private static final Pattern IDS =
      Pattern.compile("([UG]id):\t(\\d{1,10})\t(\\d{1,10})\t\\d{1,10}\t\\d{1,10}");

  /** Empty if the text has not both lines. */
  static Optional<ProcessStatus> parse(String text) {
    return ids(text, "Uid")
        .flatMap(uids ->
            ids(text, "Gid").map(gids -> new ProcessStatus(uids.real, uids.effective, gids.real)));
  }

  private record Ids(int real, int effective) {}

  private static Optional<Ids> ids(String text, String which) {
    return KernelText.lines(text).stream()
        .map(IDS::matcher)
        .filter(line -> line.matches() && line.group(1).equals(which))
        .findFirst()
        .map(line -> new Ids(id(line, 2), id(line, 3)));
  }

  private static int id(Matcher line, int group) {
    return (int) Long.parseLong(line.group(group));
  }
}
