package dev.rollcall.wire.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class LogLineTest {
  private static LogRecord record(String message) {
    var record = new LogRecord(Level.WARNING, message);
    record.setInstant(
        LocalDateTime.of(2026, 11, 23, 1, 2, 3, 4_500_000)
            .atZone(ZoneId.systemDefault())
            .toInstant());
    return record;
  }

  @Test
  void hasTheNodesTimeTheLevelAndWhatIsSaid() {
    var record = record("session {0} of uid {1}");
    record.setParameters(new Object[] {"a-1", "1000"});
    assertEquals(
        "2026-11-23T01:02:03.004 WARNING session a-1 of uid 1000\n", new LogLine().format(record));
  }

  @Test
  void leavesBracesAloneWhereThereIsNothingToPutIn() {
    assertEquals(
        "2026-11-23T01:02:03.004 WARNING {0} 'quoted'\n",
        new LogLine().format(record("{0} 'quoted'")));
  }

  @Test
  void tellsWhatWasThrownOnLinesOfItsOwn() {
    var record = record("the journal");
    record.setThrown(new IllegalStateException("is full"));
    String[] lines = new LogLine().format(record).lines().toArray(String[]::new);
    assertEquals("2026-11-23T01:02:03.004 WARNING the journal", lines[0]);
    assertEquals("java.lang.IllegalStateException: is full", lines[1]);
    assertTrue(lines[2].startsWith("\tat "), lines[2]);
  }

  /** A node gives its version, a user the name of a process. */
  @Test
  void aMessageForgesNoLineAndNothingThatATerminalObeys() {
    String text =
        "9.9\n"
            + "2026-01-01T00:00:00 INFO forged\r"
            + " \u001b[31m \u007f\u009b\u2028\u202e\u200b\ud800 \ud83d\ude00\té";
    var record = record("version {0}");
    record.setParameters(new Object[] {text});
    record.setThrown(new IllegalStateException(text, new IllegalArgumentException("a\nb")));
    List<String> lines = new LogLine().format(record).lines().toList();
    String escaped =
        "9.9\\n2026-01-01T00:00:00 INFO forged\\u000d \\u001b[31m"
            + " \\u007f\\u009b\\u2028\\u202e\\u200b\\ud800 \ud83d\ude00\té";
    assertEquals("2026-11-23T01:02:03.004 WARNING version " + escaped, lines.getFirst());
    assertEquals("java.lang.IllegalStateException: " + escaped, lines.get(1));
    assertTrue(
        lines.contains("Caused by: java.lang.IllegalArgumentException: a\\nb"), lines::toString);
    assertEquals(
        List.of(),
        lines.stream()
            .skip(2)
            .filter(line -> !line.matches("\tat .*|Caused by.*|\t\\.\\.\\. .*"))
            .toList());
  }

  @Test
  void aLineHasABound() {
    var record = record("x".repeat(1 << 20));
    record.setThrown(new IllegalStateException("y".repeat(1 << 20)));
    String text = new LogLine().format(record);
    assertTrue(text.contains("x… (1040384 more characters)\n"), () -> text.substring(8_000, 8_300));
    assertTrue(text.lines().allMatch(line -> line.length() < 8_300));
  }

  @Test
  void exceptionsThatCauseEachOtherEnd() {
    var one = new IllegalStateException("one");
    one.addSuppressed(new IllegalArgumentException("two", one));
    var record = record("a ring");
    record.setThrown(one);
    String text = new LogLine().format(record);
    assertTrue(text.contains("\tSuppressed: java.lang.IllegalArgumentException: two"), text);
    assertEquals(2, text.lines().filter(line -> line.contains("Exception:")).count(), text);
  }

  /** Of each frame for a stream that is over, the library says a line at INFO. */
  @Test
  void whatEachFrameOfAPeerMayCauseIsNotSaid() {
    var formatters = new HashMap<Handler, Formatter>();
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      formatters.put(handler, handler.getFormatter());
    }
    LogLine.begin();
    InternalLogger library = InternalLoggerFactory.getInstance(Http2ConnectionHandler.class);
    assertFalse(library.isInfoEnabled());
    assertTrue(library.isWarnEnabled());
    formatters.forEach(Handler::setFormatter);
  }
}
