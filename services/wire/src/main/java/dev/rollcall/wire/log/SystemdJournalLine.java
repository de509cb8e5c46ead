package dev.rollcall.wire.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A line for systemd's journal, which knows the time: the priority as sd-daemon(3) writes it,
 * before each line of what was thrown too, and what is said.
 */
final class SystemdJournalLine extends Formatter {
  private static final int ERROR = 3;
  private static final int WARNING = 4;
  private static final int INFO = 6;
  private static final int DEBUG = 7;

  private static final String STREAM = "JOURNAL_STREAM";

  /** Whether standard error is the journal: systemd.exec(5), {@code $JOURNAL_STREAM}. */
  static boolean isStandardError() {
    return is(System.getenv(), Path.of("/proc/self/fd/2"));
  }

  /**
   * A child whose output was put elsewhere has inherited the variable, so that device and inode are
   * compared.
   */
  static boolean is(Map<String, String> environment, Path stream) {
    @Nullable String told = environment.get(STREAM);
    if (told == null) {
      return false;
    }
    try {
      return told.equals(
          Files.getAttribute(stream, "unix:dev") + ":" + Files.getAttribute(stream, "unix:ino"));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

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
