package dev.rollcall.linux.process;

import java.util.Optional;

/**
 * Parses {@code /proc/PID/stat}, proc(5).
 *
 * @param command the short name, which the process chooses
 * @param state {@code R}, {@code S}, {@code D}, {@code Z} and others
 * @param parent pid of the parent
 * @param session its first process
 * @param terminal the device of the controlling terminal, as {@code st_rdev} has it; 0 if none
 * @param startTime clock ticks (1/100 s) since boot
 */
public record ProcessStat(
    int pid, String command, char state, int parent, int session, long terminal, long startTime) {
  // Counted from the field after the name; in proc(5) the state is field 3 and the start field 22.
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int TERMINAL = 4;
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
    int state = close + 2;
    int parent = fieldAfter(line, state, PARENT - STATE);
    int session = fieldAfter(line, parent, SESSION - PARENT);
    int terminal = fieldAfter(line, session, TERMINAL - SESSION);
    int start = fieldAfter(line, terminal, START - TERMINAL);
    if (start < 0 || end(line, state) != state + 1) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ProcessStat(
              Integer.parseInt(line, 0, open, 10),
              line.substring(open + 2, close),
              line.charAt(state),
              number(line, parent),
              number(line, session),
              // Written as a signed int: large minor numbers look negative.
              Integer.toUnsignedLong(number(line, terminal)),
              Long.parseLong(line, start, end(line, start), 10)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Where the field begins that comes so many after the one that begins here; -1 if none does. */
  private static int fieldAfter(String line, int from, int fields) {
    int at = from;
    for (int i = 0; i < fields && at >= 0; i++) {
      at = line.indexOf(' ', at) + 1;
      if (at == 0) {
        return -1;
      }
    }
    return at;
  }

  private static int number(String line, int from) {
    return Integer.parseInt(line, from, end(line, from), 10);
  }

  private static int end(String line, int from) {
    int space = line.indexOf(' ', from);
    return space < 0 ? line.length() : space;
  }
}
