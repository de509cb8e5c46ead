package dev.rollcall.wire.log;

import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Collectors;

/**
 * A line for systemd's journal, which knows the time: the priority as sd-daemon(3) writes it,
 * before each line of what was thrown too, and what is said.
 */
final class SystemdJournalLine extends Formatter {
  private static final int ERROR = 3;
  private static final int WARNING = 4;
  private static final int INFO = 6;
  private static final int DEBUG = 7;

  @Override
  public String format(LogRecord record) {
    String priority = "<" + priority(record.getLevel()) + ">";
    return (LogText.line(formatMessage(record)) + LogText.thrown(record.getThrown()))
        .lines()
        .map(line -> priority + line + "\n")
        .collect(Collectors.joining());
  }

  private static int priority(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return ERROR;
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return WARNING;
    }
    return level.intValue() >= Level.INFO.intValue() ? INFO : DEBUG;
  }
}
