package dev.rollcall.wire.log;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Formats a log line: local time, level and message, with the exception on further lines. Text is
 * written as {@link LogText} has it, so no message makes a line of its own. The JDK's formatter
 * looks through the stack for who says it, whether that is written or not, which took a login
 * longer than all its other words together.
 */
public final class LogLine extends Formatter {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS", Locale.ROOT);

  /**
   * HTTP/2, which says at INFO, as its default level has it, of each frame that a peer sends for a
   * stream that is over. Kept here, as the JDK forgets the level of a logger that nobody holds.
   */
  private static final Logger HTTP2 = Logger.getLogger("io.netty.handler.codec.http2");

  /**
   * Has this process write such lines from now on, or what systemd's journal wants in their place.
   * To be called first.
   */
  public static void begin() {
    HTTP2.setLevel(Level.WARNING);
    boolean journal = SystemdJournalLine.isStandardError();
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setFormatter(journal ? new SystemdJournalLine() : new LogLine());
    }
  }

  @Override
  public String format(LogRecord record) {
    return TIME.format(LocalDateTime.ofInstant(record.getInstant(), ZoneId.systemDefault()))
        + " "
        + record.getLevel().getLocalizedName()
        + " "
        + LogText.line(formatMessage(record))
        + LogText.thrown(record.getThrown())
        + System.lineSeparator();
  }
}
