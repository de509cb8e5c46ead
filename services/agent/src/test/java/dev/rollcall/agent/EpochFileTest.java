package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EpochFileTest {
  private static InstantSource at(long second) {
    return InstantSource.fixed(Instant.ofEpochSecond(second));
  }

  @Test
  void growsWithEachStartWithinASecond(@TempDir Path directory) {
    assertEquals(100, new EpochFile(directory, at(100)).next());
    assertEquals(101, new EpochFile(directory, at(100)).next());
    assertEquals(102, new EpochFile(directory, at(100)).next());
  }

  @Test
  void growsWhenTheClockGoesBack(@TempDir Path directory) {
    assertEquals(100, new EpochFile(directory, at(100)).next());
    assertEquals(101, new EpochFile(directory, at(50)).next());
  }

  @Test
  void growsWhateverIsDoneToTheClock(@TempDir Path directory) {
    long now = 1_800_000_000;
    long hour = 3_600;
    long year = 365 * 24 * hour;
    long last = new EpochFile(directory, at(now)).next();
    for (long step : new long[] {hour, -hour, 0, year, 0, -year, -now, 0}) {
      long next = new EpochFile(directory, at(now + step)).next();
      assertTrue(next > last, next + " after " + last);
      last = next;
    }
  }

  @Test
  void growsByTheClockWhenItCannotBeWritten(@TempDir Path directory) {
    Path missing = directory.resolve("missing");
    assertEquals(100, new EpochFile(missing, at(100)).next());
    assertEquals(101, new EpochFile(missing, at(101)).next());
  }

  @Test
  void takesABrokenFileForNone(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("epoch"), "what");
    assertEquals(7, new EpochFile(directory, at(7)).next());
    assertEquals("7\n", Files.readString(directory.resolve("epoch")));
  }
}
