package dev.rollcall.wire.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.testkit.disk.SmallDisk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
class SpoolOnFullDiskTest {
  private static final String LINE = "{\"" + "x".repeat(5_000) + "\"}";

  @TempDir Path directory = Path.of("unset");

  /** As a user's process does that has a file in the same file system. */
  private static void takeAllThatIsFree(Path file, AtomicBoolean goesOn) {
    byte[] page = new byte[4_096];
    try (OutputStream to = Files.newOutputStream(file)) {
      while (goesOn.get()) {
        try {
          to.write(page);
        } catch (IOException full) {
          Thread.onSpinWait();
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatAnEarlierProcessLeftIsNotLostToWhoTakesTheSpace() throws Exception {
    try (SmallDisk disk = SmallDisk.over(directory)) {
      Path spool = directory.resolve("spool");
      for (int start = 0; start < 100; start++) {
        disk.empty();
        Files.writeString(spool, LINE + "\n" + LINE + "\n{\"half");
        disk.fill();
        var goesOn = new AtomicBoolean(true);
        Thread taker =
            Thread.ofPlatform().start(() -> takeAllThatIsFree(directory.resolve("more"), goesOn));
        try {
          SpoolFile open = SpoolFile.open(spool, 1 << 20, Set.of(), _ -> {});
          assertEquals(LINE + "\n" + LINE + "\n", new String(open.batch(), StandardCharsets.UTF_8));
        } finally {
          goesOn.set(false);
          taker.join();
        }
      }
    }
  }

  @Test
  void aLineThatHasNoRoomIsNotTakenAndTheOthersStay() throws Exception {
    try (SmallDisk disk = SmallDisk.over(directory)) {
      Path spool = directory.resolve("spool");
      byte[] line = (LINE + "\n").getBytes(StandardCharsets.UTF_8);
      SpoolFile open = SpoolFile.open(spool, 1 << 20, Set.of(), _ -> {});
      open.add(line);
      disk.fill();
      assertThrows(IOException.class, () -> open.add(line));
      assertEquals(List.of(LINE), Files.readAllLines(spool));
      disk.empty();
      open.add(line);
      assertEquals(List.of(LINE, LINE), Files.readAllLines(spool));
    }
  }
}
