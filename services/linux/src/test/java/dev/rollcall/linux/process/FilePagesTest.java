package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePagesTest {
  private static final int BYTES = 4 << 20;

  @TempDir private Path directory;

  /** KiB of a mapping that are in memory for this process, and whether any of it was written to. */
  private static long resident(Path file) throws IOException {
    List<String> smaps = Files.readAllLines(Path.of("/proc/self/smaps"));
    for (int i = 0; i < smaps.size(); i++) {
      if (smaps.get(i).endsWith(file.toString())) {
        String rss =
            smaps.subList(i, smaps.size()).stream()
                .filter(line -> line.startsWith("Rss:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(rss.replaceAll("\\D", ""));
      }
    }
    throw new AssertionError(file + " is not mapped");
  }

  private MemorySegment map(Arena arena, MapMode mode) throws IOException {
    Path file = Files.createTempFile(directory, "pages", "");
    byte[] contents = new byte[BYTES];
    java.util.Arrays.fill(contents, (byte) 7);
    Files.write(file, contents);
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(mode, 0, BYTES, arena);
    }
  }

  private Path only() throws IOException {
    try (var files = Files.list(directory)) {
      return files.findFirst().orElseThrow();
    }
  }

  private static long sum(MemorySegment segment) {
    return segment
        .elements(ValueLayout.JAVA_BYTE)
        .mapToLong(each -> each.get(ValueLayout.JAVA_BYTE, 0))
        .sum();
  }

  @Test
  void pagesThatAreOnlyReadGoAndComeBackAsTheyWere() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = map(arena, MapMode.READ_ONLY);
      assertEquals(7L * BYTES, sum(segment));
      assertEquals(BYTES >> 10, resident(only()));
      assertTrue(FilePages.letGo() >= BYTES);
      assertEquals(0, resident(only()));
      assertEquals(7L * BYTES, sum(segment));
    }
  }

  @Test
  void whatWasWrittenStays() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = map(arena, MapMode.PRIVATE);
      segment.fill((byte) 9);
      assertTrue(FilePages.letGo() > 0);
      assertEquals(BYTES >> 10, resident(only()));
      assertEquals(9L * BYTES, sum(segment));
    }
  }
}
