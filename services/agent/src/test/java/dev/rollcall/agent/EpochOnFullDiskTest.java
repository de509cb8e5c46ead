package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.disk.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
class EpochOnFullDiskTest {
  private static final InstantSource NOW =
      InstantSource.fixed(Instant.ofEpochSecond(1_800_000_000));
  private static final InstantSource YEAR_BACK =
      InstantSource.fixed(Instant.ofEpochSecond(1_800_000_000 - 31_536_000));

  @TempDir Path directory = Path.of("unset");

  @Test
  void twoRunsHaveTwoNumbersAlthoughTheClockWentBack() throws Exception {
    try (SmallDisk disk = SmallDisk.over(directory)) {
      long last = new EpochFile(directory, NOW).next();
      disk.fill();
      for (int start = 0; start < 3; start++) {
        long next = new EpochFile(directory, YEAR_BACK).next();
        assertTrue(next > last, next + " after " + last);
        last = next;
      }
      try (Stream<Path> files = Files.list(directory)) {
        assertEquals(2, files.count(), "the number and what fills the disk");
      }
      disk.empty();
      assertEquals(last + 1, new EpochFile(directory, YEAR_BACK).next());
    }
  }

  @Test
  void theFirstStartTakesTheClock() throws Exception {
    try (SmallDisk disk = SmallDisk.over(directory)) {
      disk.fill();
      assertEquals(1_800_000_000, new EpochFile(directory, NOW).next());
      disk.empty();
      assertEquals(1_800_000_000, new EpochFile(directory, NOW).next());
      assertEquals(1_800_000_001, new EpochFile(directory, YEAR_BACK).next());
    }
  }
}
