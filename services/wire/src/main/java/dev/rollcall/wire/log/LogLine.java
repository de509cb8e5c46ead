package dev.rollcall.wire.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A line of the log: the node's own time, the level, what is said, and on more lines what was
 * thrown. The JDK's formatter looks through the stack for who says it, whether that is written or
 * not, which took a login longer than all its other words together.
 */
public final class LogLine extends Formatter {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS", Locale.ROOT);

  /**
   * Has this process write such lines from now on, or what systemd's journal wants in their place.
   * To be called first.
   */
  public static void begin() {
    boolean journal = Journal.isStandardError();
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setFormatter(journal ? new JournalLine() : new LogLine());
    }
  }

  @Override
  public String format(LogRecord record) {
    return TIME.format(LocalDateTime.ofInstant(record.getInstant(), ZoneId.systemDefault()))
        + " "
        + record.getLevel().getLocalizedName()
        + " "
        + formatMessage(record)
        + thrown(record.getThrown())
        + System.lineSeparator();
  }

  static String thrown(@Nullable Throwable thrown) {
    if (thrown == null) {
      return "";
    }
    var trace = new StringWriter();
    var writer = new PrintWriter(trace);
    writer.println();
    thrown.printStackTrace(writer);
    writer.flush();
    return trace.toString();
  }
}
