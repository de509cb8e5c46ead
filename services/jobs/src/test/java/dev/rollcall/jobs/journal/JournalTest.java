package dev.rollcall.jobs.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  /** Each is written anew and waits for the disk. */
  private static final int DAMAGED =
      System.getProperty("rollcall.counts", "default").equals("full") ? 10_000 : 200;

  private static final String BOOT = "9b1d-boot";
  private static final List<JournalLine> LINES =
      List.of(
          begin(1),
          begin(2),
          new JournalLine.Sessions(new JobId(1), 128),
          new JournalLine.Closing(new JobId(2)),
          begin(3),
          new JournalLine.End(new JobId(2)),
          new JournalLine.Closing(new JobId(3)));

  @TempDir Path directory;

  private static JournalLine begin(long id) {
    Instant start = Instant.parse("2026-11-20T12:00:00.000000001Z").plusSeconds(id);
    return new JournalLine.Begin(new JobSpec(new JobId(id), 1000 + (int) id, 100, start), BOOT);
  }

  private Path file() {
    return directory.resolve(Journal.FILE);
  }

  private static List<JournalState.Entry> after(List<JournalLine> lines) {
    JournalState state = new JournalState();
    lines.forEach(state::apply);
    return state.entries();
  }

  private byte[] written() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      for (JournalLine line : LINES) {
        journal.append(line);
      }
    }
    return Files.readAllBytes(file());
  }

  @Test
  void whatWasWrittenIsReadAgain() throws IOException {
    written();
    try (Journal journal = Journal.open(directory)) {
      assertEquals(after(LINES), journal.entries());
      assertEquals(List.of(), journal.warnings());
    }
  }

  @Test
  void everyLineReadsBackAsItself() {
    for (JournalLine line : LINES) {
      String text = new String(line.bytes(), java.nio.charset.StandardCharsets.US_ASCII);
      assertEquals(java.util.Optional.of(line), JournalLine.parse(text.stripTrailing()));
    }
  }

  @Test
  void aFileCutAnywhereKeepsItsWholeLinesAndTakesNewOnes() throws IOException {
    byte[] all = written();
    JournalLine next = begin(9);
    for (int length = 0; length <= all.length; length++) {
      Files.write(file(), Arrays.copyOf(all, length));
      int whole =
          (int)
              new String(all, 0, length, java.nio.charset.StandardCharsets.US_ASCII)
                  .chars()
                  .filter(c -> c == '\n')
                  .count();
      List<JournalLine> kept = new java.util.ArrayList<>(LINES.subList(0, whole));
      boolean cut = length > 0 && all[length - 1] != '\n';
      try (Journal journal = Journal.open(directory)) {
        assertEquals(after(kept), journal.entries(), "cut at " + length);
        assertEquals(cut ? 1 : 0, journal.warnings().size(), "cut at " + length);
        journal.append(next);
      }
      kept.add(next);
      try (Journal journal = Journal.open(directory)) {
        assertEquals(after(kept), journal.entries(), "appended after a cut at " + length);
        assertEquals(List.of(), journal.warnings());
      }
    }
  }

  @Test
  void flippedBytesDropTheirLinesWithAWarningAndInventNothing() throws IOException {
    byte[] all = written();
    long seed = new Random().nextLong();
    System.out.println("journal damage: seed " + seed + ", " + DAMAGED + " files");
    Random random = new Random(seed);
    for (int round = 0; round < DAMAGED; round++) {
      byte[] damaged = all.clone();
      int at = random.nextInt(damaged.length);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file(), damaged);
      List<JournalLine> left = new java.util.ArrayList<>();
      int start = 0;
      for (JournalLine line : LINES) {
        int end = start + line.bytes().length;
        // A damaged newline joins its line with the next one, and takes both.
        boolean joined = at == start - 1;
        if ((at < start || at >= end) && !joined) {
          left.add(line);
        }
        start = end;
      }
      try (Journal journal = Journal.open(directory)) {
        assertEquals(after(left), journal.entries(), "seed " + seed + ", byte " + at);
        assertTrue(!journal.warnings().isEmpty(), "seed " + seed + ", byte " + at);
        assertTrue(journal.warnings().getFirst().startsWith(file().toString()));
      }
      assertEquals(lines(after(left)), Files.readString(file()), "and it is written anew");
    }
  }

  private static String lines(List<JournalState.Entry> entries) {
    JournalState state = new JournalState();
    entries.forEach(entry -> {
      JobId job = entry.spec().id();
      state.apply(new JournalLine.Begin(entry.spec(), entry.bootId()));
      state.apply(new JournalLine.Sessions(job, entry.sessions()));
      if (entry.closing()) {
        state.apply(new JournalLine.Closing(job));
      }
    });
    StringBuilder text = new StringBuilder();
    state
        .lines()
        .forEach(line ->
            text.append(new String(line.bytes(), java.nio.charset.StandardCharsets.US_ASCII)));
    return text.toString();
  }

  @Test
  void aFileOfNoiseIsNoJobs() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("journal noise: seed " + seed);
    byte[] noise = new byte[10_000];
    new Random(seed).nextBytes(noise);
    Files.write(file(), noise);
    try (Journal journal = Journal.open(directory)) {
      assertEquals(List.of(), journal.entries());
      journal.append(begin(1));
    }
    assertEquals(begin(1).bytes().length, Files.size(file()));
  }

  @Test
  void endedJobsDoNotMakeItGrowForEver() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      journal.append(begin(1));
      for (int round = 0; round < 2000; round++) {
        journal.appendUnforced(begin(2));
        journal.appendUnforced(new JournalLine.End(new JobId(2)));
      }
      assertEquals(after(List.of(begin(1))), journal.entries());
    }
    assertTrue(Files.size(file()) < 100_000, "bytes: " + Files.size(file()));
    try (Journal journal = Journal.open(directory)) {
      assertEquals(after(List.of(begin(1))), journal.entries());
    }
  }

  @Test
  void twoAgentsCannotShareIt() throws IOException {
    Journal first = Journal.open(directory);
    IOException refused = assertThrows(IOException.class, () -> Journal.open(directory));
    assertTrue(String.valueOf(refused.getMessage()).contains(directory.toString()));
    first.close();
    Journal.open(directory).close();
  }

  @Test
  void aWriterThatIsInterruptedDoesNotCloseIt() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      Thread.currentThread().interrupt();
      journal.append(begin(1));
      assertTrue(Thread.interrupted());
      journal.append(begin(2));
      assertEquals(2, journal.entries().size());
    }
  }
}
