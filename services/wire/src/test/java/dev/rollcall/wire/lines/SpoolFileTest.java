package dev.rollcall.wire.lines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolFileTest {
  private static final int LINES = 5_000;

  @TempDir private Path directory;
  private final List<String> left = new ArrayList<>();

  private Path spool() {
    return directory.resolve("spool");
  }

  private SpoolFile open(Set<String> written) throws IOException {
    left.clear();
    return SpoolFile.open(spool(), 1 << 24, written, left::add);
  }

  private static String line(int number) {
    return "{\"number\":" + number + ",\"text\":\"" + "ä".repeat(200) + "\"}";
  }

  private static List<String> lines(int from) {
    List<String> lines = new ArrayList<>();
    for (int number = from; number < LINES; number++) {
      lines.add(line(number));
    }
    return lines;
  }

  private void fill(SpoolFile open) throws IOException {
    for (String line : lines(0)) {
      open.add((line + "\n").getBytes(UTF_8));
    }
  }

  /** As the thread that carries lines does, without a file. */
  private static List<String> carry(SpoolFile open, int batches) throws IOException {
    List<String> carried = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      byte[] batch = open.batch();
      assertTrue(batch.length <= Waiting.BATCH, () -> batch.length + " bytes");
      carried.addAll(new String(batch, UTF_8).lines().toList());
      open.written(batch.length);
    }
    return carried;
  }

  @Test
  void batchesAreBoundedAndHaveWholeLinesInTheirOrder() throws IOException {
    SpoolFile open = open(Set.of());
    fill(open);
    int batches = (int) Math.ceilDiv(Files.size(spool()), Waiting.BATCH);
    assertTrue(batches > 3);
    assertEquals(lines(0), carry(open, batches));
    assertEquals(0, Files.size(spool()));
  }

  @Test
  void theNextProcessContinuesAfterTheLastBatchThatWasWritten() throws IOException {
    SpoolFile open = open(Set.of());
    fill(open);
    int done = carry(open, 2).size();
    SpoolFile next = open(Set.of());
    assertEquals(LINES - done, next.owed());
    assertEquals(lines(done), left);
    List<String> carried = carry(next, 1);
    // The file has been rotated, and one more batch had been written when the process was killed.
    List<String> more = new String(next.batch(), UTF_8).lines().toList();
    int last = done + carried.size() + more.size();
    assertEquals(LINES - last, open(Set.copyOf(more)).owed());
    assertEquals(lines(done + carried.size()), left, "what is written is named too");
  }

  @Test
  void whatIsBeforeALineOfTheFileIsNotOwed() throws IOException {
    fill(open(Set.of()));
    SpoolFile next = open(Set.of(line(7), line(3)));
    assertEquals(LINES - 8, next.owed());
    assertEquals(lines(8).subList(0, 100), carry(next, 1).subList(0, 100));
    assertEquals(0, open(Set.of(line(LINES - 1))).owed());
    assertEquals(0, Files.size(spool()));
  }

  @Test
  void halfALineAtTheEndIsDroppedAndALongOneComesInParts() throws IOException {
    String longer = "x".repeat(3 * Waiting.BATCH) + "}";
    Files.writeString(spool(), longer + "\n{2}\n{\"half");
    SpoolFile open = open(Set.of());
    assertEquals(2, open.owed());
    byte[] whole = (longer + "\n{2}\n").getBytes(UTF_8);
    assertEquals(whole.length, Files.size(spool()));
    assertArrayEquals(
        whole, (String.join("", carry(open, 3)) + "}\n{2}\n").getBytes(UTF_8), "in three parts");
    assertEquals(List.of("}", "{2}"), carry(open, 1));
    Files.writeString(spool(), "{\"half");
    assertEquals(0, open(Set.of()).owed());
    assertEquals(0, Files.size(spool()));
  }
}
