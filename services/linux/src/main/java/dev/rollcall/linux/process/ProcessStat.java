package dev.rollcall.linux.process;

import java.util.Optional;

/**
 * What {@code /proc/PID/stat} says, proc(5).
 *
 * @param state {@code R}, {@code S}, {@code D}, {@code Z} and others
 * @param parent pid of the parent
 * @param startTime clock ticks (1/100 s) since boot
 */
public record ProcessStat(int pid, char state, int parent, long startTime) {
  // Counted from the field after the name; in proc(5) the state is field 3 and the start field 22.
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int START = 19;

  /** Ended, and not yet waited for by its parent. */
  public boolean zombie() {
    return state == 'Z' || state == 'X';
  }

  /**
   * Reads one line. The name stands in parentheses and may hold spaces and parentheses of its own,
   * so that only what follows the last one can be trusted. Empty if the text is not such a line.
   */
  public static Optional<ProcessStat> parse(String line) {
    int open = line.indexOf(" (");
    int close = line.lastIndexOf(") ");
    if (open < 1 || close < open) {
      return Optional.empty();
    }
    String[] fields = line.substring(close + 2).split(" ", -1);
    if (fields.length <= START || fields[STATE].length() != 1) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ProcessStat(
              Integer.parseInt(line.substring(0, open)),
              fields[STATE].charAt(0),
              Integer.parseInt(fields[PARENT]),
              Long.parseLong(fields[START])));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
