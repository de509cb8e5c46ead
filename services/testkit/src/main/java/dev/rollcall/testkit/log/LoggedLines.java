package dev.rollcall.testkit.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Keeps the lines that loggers below a name write, from its creation until it is closed. */
public final class LoggedLines implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Handler handler =
      new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord record) {
          lines.add(formatter.formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private LoggedLines(Logger logger) {
    this.logger = logger;
    logger.addHandler(handler);
  }

  /**
   * @param name a package, or a class
   */
  public static LoggedLines of(String name) {
    return new LoggedLines(Logger.getLogger(name));
  }

  /** In the order of their writing. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
