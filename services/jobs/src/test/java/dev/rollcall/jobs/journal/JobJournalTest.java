package dev.rollcall.jobs.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.model.allocation.Rlimit;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobJournalTest {
  /** Each is written anew and waits for the disk. */
  private static final int DAMAGED = Counts.of(200, 10_000);

  private static final String BOOT = "9b1d-boot";
  private static final Allocation EVERYTHING =
      new Allocation(
          new Limits(
              Optional.of(new NumberList("0-3,8")),
              Optional.of(new NumberList("0")),
              OptionalLong.of(4L << 30),
              OptionalLong.of(3L << 30),
              OptionalLong.of(0),
              OptionalInt.of(50),
              Optional.of(new CpuMax(150_000, 100_000)),
              OptionalLong.of(512),
              List.of(IoMax.parse("8:0:rbps=1048576,wiops=100"), IoMax.parse("8:16:wbps=1")),
              Map.of("2MB", 0L, "1GB", 1L << 30)),
          new DeviceRules(
              DeviceRules.Kind.ALLOW_LIST,
              List.of(DeviceRule.parse("c 195:* rw"), DeviceRule.parse("b *:* m"))),
          Map.of("CUDA_VISIBLE_DEVICES", "0,1", "ODD", "a b=c+%\u00e9 d", "EMPTY", ""),
          List.of(Rlimit.parse("nofile=1024:4096"), Rlimit.parse("memlock=unlimited")));
  private static final List<JobJournalLine> LINES =
      List.of(
          begin(1),
          begin(2),
          new JobJournalLine.Sessions(new JobId(1), 128),
          new JobJournalLine.Became(new JobId(2), JobState.CLOSING),
          new JobJournalLine.Became(new JobId(1), JobState.SUSPENDED),
          begin(3),
          new JobJournalLine.Begin(spec(4, EVERYTHING), BOOT),
          new JobJournalLine.Allocated(new JobId(1), Optional.empty(), EVERYTHING),
          new JobJournalLine.Allocated(new JobId(3), Optional.of(StepId.of(0)), EVERYTHING),
          new JobJournalLine.Became(new JobId(3), JobState.SUSPENDED),
          new JobJournalLine.Became(new JobId(3), JobState.OPEN),
          new JobJournalLine.Became(new JobId(2), JobState.CLOSED),
          new JobJournalLine.Became(new JobId(3), JobState.CLOSING));

  @TempDir Path directory;

  private static JobJournalLine begin(long id) {
    return new JobJournalLine.Begin(spec(id, Allocation.NONE), BOOT);
  }

  private static JobSpec spec(long id, Allocation allocation) {
    Instant start = Instant.parse("2026-11-20T12:00:00.000000001Z").plusSeconds(id);
    return new JobSpec(new JobId(id), 1000 + (int) id, 100, start, allocation);
  }

  private Path file() {
    return directory.resolve(JobJournal.FILE);
  }

  private static List<JournalState.Entry> after(List<JobJournalLine> lines) {
    JournalState state = new JournalState();
    lines.forEach(state::apply);
    return state.entries();
  }

  private byte[] written() throws IOException {
    try (JobJournal journal = JobJournal.open(directory)) {
      for (JobJournalLine line : LINES) {
        journal.append(line);
      }
    }
    return Files.readAllBytes(file());
  }

  @Test
  void whatWasWrittenIsReadAgain() throws IOException {
    written();
    try (JobJournal journal = JobJournal.open(directory)) {
      assertEquals(after(LINES), journal.entries());
      assertEquals(List.of(), journal.warnings());
    }
  }

  @Test
  void everyLineReadsBackAsItself() {
    for (JobJournalLine line : LINES) {
      String text = new String(line.bytes(), java.nio.charset.StandardCharsets.US_ASCII);
      assertEquals(java.util.Optional.of(line), JobJournalLine.parse(text.stripTrailing()));
    }
  }

  @Test
  void aLineOfAnAgentThatKnewNoAllocationsIsRead() {
    String old = "begin 7 1007 100 2026-11-20T12:00:07.000000001Z " + BOOT;
    assertEquals(begin(7).text(), old);
    assertEquals(Optional.of(begin(7)), JobJournalLine.parse(text(begin(7))));
  }

  @Test
  void whatAJobAndItsStepsHaveIsWhatWasSaidLast() throws IOException {
    written();
    try (JobJournal journal = JobJournal.open(directory)) {
      Map<Long, Allocation> jobs = new TreeMap<>();
      journal
          .entries()
          .forEach(entry -> jobs.put(entry.spec().id().number(), entry.spec().allocation()));
      assertEquals(Map.of(1L, EVERYTHING, 3L, Allocation.NONE, 4L, EVERYTHING), jobs);
      assertEquals(Map.of(StepId.of(0), EVERYTHING), journal.entries().get(1).steps());
    }
  }

  @Test
  void linesOfALaterVersionStayAsTheyAreUntilTheirJobEnds() throws IOException {
    var begin = new JobJournalLine.Begin(spec(1, EVERYTHING), BOOT);
    List<String> later =
        List.of(
            line(begin.text() + " memory_min=1 rlimit=later%3D1%3A1"),
            line(new JobJournalLine.Sessions(new JobId(1), 128).text()),
            line("moved 1 node2"),
            line("suspended 1 by=root"));
    String ended = begin(2).text() + " memory_min=1";
    Files.writeString(
        file(), String.join("", later) + line(ended) + line("moved 2 node2") + "damaged\n");
    List<JobJournalLine> known =
        List.of(
            begin,
            new JobJournalLine.Sessions(new JobId(1), 128),
            new JobJournalLine.Became(new JobId(1), JobState.SUSPENDED));
    try (JobJournal journal = JobJournal.open(directory)) {
      assertEquals(1, journal.warnings().size(), journal.warnings().toString());
      List<JobJournalLine> both = new java.util.ArrayList<>(known);
      both.add(begin(2));
      assertEquals(after(both), journal.entries());
      journal.append(new JobJournalLine.Became(new JobId(2), JobState.CLOSED));
      for (int round = 0; round < 1000; round++) {
        journal.appendUnforced(begin(3));
        journal.appendUnforced(new JobJournalLine.Became(new JobId(3), JobState.CLOSED));
      }
      journal.append(new JobJournalLine.Became(new JobId(1), JobState.OPEN));
    }
    String written = Files.readString(file());
    assertTrue(written.startsWith(String.join("", later)) && !written.contains("moved 2"), written);
    try (JobJournal journal = JobJournal.open(directory)) {
      List<JobJournalLine> resumed = new java.util.ArrayList<>(known);
      resumed.add(new JobJournalLine.Became(new JobId(1), JobState.OPEN));
      assertEquals(after(resumed), journal.entries());
      assertEquals(List.of(), journal.warnings());
    }
  }

  private static String line(String text) {
    var crc = new java.util.zip.CRC32C();
    crc.update(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return java.util.HexFormat.of().toHexDigits((int) crc.getValue()) + " " + text + "\n";
  }

  private static String text(JobJournalLine line) {
    return new String(line.bytes(), java.nio.charset.StandardCharsets.US_ASCII).stripTrailing();
  }

  @Test
  void aFileCutAnywhereKeepsItsWholeLinesAndTakesNewOnes() throws IOException {
    byte[] all = written();
    JobJournalLine next = begin(9);
    for (int length = 0; length <= all.length; length++) {
      Files.write(file(), Arrays.copyOf(all, length));
      int whole =
          (int)
              new String(all, 0, length, java.nio.charset.StandardCharsets.US_ASCII)
                  .chars()
                  .filter(c -> c == '\n')
                  .count();
      List<JobJournalLine> kept = new java.util.ArrayList<>(LINES.subList(0, whole));
      boolean cut = length > 0 && all[length - 1] != '\n';
      try (JobJournal journal = JobJournal.open(directory)) {
        assertEquals(after(kept), journal.entries(), "cut at " + length);
        assertEquals(cut ? 1 : 0, journal.warnings().size(), "cut at " + length);
        journal.append(next);
      }
      kept.add(next);
      try (JobJournal journal = JobJournal.open(directory)) {
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
      List<JobJournalLine> left = new java.util.ArrayList<>();
      int start = 0;
      for (JobJournalLine line : LINES) {
        int end = start + line.bytes().length;
        // A damaged newline joins its line with the next one, and takes both.
        boolean joined = at == start - 1;
        if ((at < start || at >= end) && !joined) {
          left.add(line);
        }
        start = end;
      }
      try (JobJournal journal = JobJournal.open(directory)) {
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
      state.apply(new JobJournalLine.Begin(entry.spec(), entry.bootId()));
      entry
          .steps()
          .forEach((step, own) ->
              state.apply(new JobJournalLine.Allocated(job, Optional.of(step), own)));
      state.apply(new JobJournalLine.Sessions(job, entry.sessions()));
      switch (entry.state()) {
        case SUSPENDED -> state.apply(new JobJournalLine.Became(job, JobState.SUSPENDED));
        case CLOSING -> state.apply(new JobJournalLine.Became(job, JobState.CLOSING));
        case BEGINNING, OPEN, CLOSED -> {}
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
    try (JobJournal journal = JobJournal.open(directory)) {
      assertEquals(List.of(), journal.entries());
      journal.append(begin(1));
    }
    assertEquals(begin(1).bytes().length, Files.size(file()));
  }

  @Test
  void endedJobsDoNotMakeItGrowForEver() throws IOException {
    try (JobJournal journal = JobJournal.open(directory)) {
      journal.append(begin(1));
      for (int round = 0; round < 2000; round++) {
        journal.appendUnforced(begin(2));
        journal.appendUnforced(new JobJournalLine.Became(new JobId(2), JobState.CLOSED));
      }
      assertEquals(after(List.of(begin(1))), journal.entries());
    }
    assertTrue(Files.size(file()) < 100_000, "bytes: " + Files.size(file()));
    try (JobJournal journal = JobJournal.open(directory)) {
      assertEquals(after(List.of(begin(1))), journal.entries());
    }
  }

  @Test
  void twoAgentsCannotShareIt() throws IOException {
    JobJournal first = JobJournal.open(directory);
    IOException refused = assertThrows(IOException.class, () -> JobJournal.open(directory));
    assertTrue(String.valueOf(refused.getMessage()).contains(directory.toString()));
    first.close();
    JobJournal.open(directory).close();
  }

  @Test
  void aWriterThatIsInterruptedDoesNotCloseIt() throws IOException {
    try (JobJournal journal = JobJournal.open(directory)) {
      Thread.currentThread().interrupt();
      journal.append(begin(1));
      assertTrue(Thread.interrupted());
      journal.append(begin(2));
      assertEquals(2, journal.entries().size());
    }
  }

  /** A disk that jobs keep busy takes seconds for an fsync; ends of jobs are noted meanwhile. */
  @Test
  void aLineThatWaitsForTheDiskKeepsNoOtherWaiting() throws Exception {
    Executor onThread = work -> Thread.ofPlatform().daemon().start(work);
    var reached = new CountDownLatch(1);
    var disk = new CountDownLatch(1);
    try (JobJournal journal =
        JobJournal.open(
            directory,
            file -> {
              reached.countDown();
              awaited(disk);
            })) {
      var begun = CompletableFuture.runAsync(() -> appended(journal, begin(1)), onThread);
      awaited(reached);
      var noted =
          CompletableFuture.runAsync(
              () -> journal.note(new JobJournalLine.Became(new JobId(2), JobState.CLOSING)),
              onThread);
      noted.get(30, TimeUnit.SECONDS);
      assertFalse(begun.isDone(), "it waits for the disk");
      disk.countDown();
      begun.get(30, TimeUnit.SECONDS);
      assertEquals(after(List.of(begin(1))), journal.entries());
    }
  }

  @Test
  void aLineThatDoesNotReachTheDiskDoesNotCount() throws IOException {
    JobJournal.Disk broken =
        file -> {
          throw new IOException("Input/output error");
        };
    try (JobJournal journal = JobJournal.open(directory, broken)) {
      journal.note(begin(1));
      IOException failed = assertThrows(IOException.class, () -> journal.append(begin(2)));
      assertEquals("journal " + file() + ": Input/output error", failed.getMessage());
      assertEquals(after(List.of(begin(1))), journal.entries());
    }
    try (JobJournal journal = JobJournal.open(directory)) {
      assertEquals(after(List.of(begin(1))), journal.entries());
    }
  }

  private static void appended(JobJournal journal, JobJournalLine line) {
    try {
      journal.append(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaited(CountDownLatch latch) throws IOException {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
