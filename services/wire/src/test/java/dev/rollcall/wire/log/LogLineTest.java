package dev.rollcall.wire.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.logging.Level;
import java.util.logging.LogRecord;
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
}
