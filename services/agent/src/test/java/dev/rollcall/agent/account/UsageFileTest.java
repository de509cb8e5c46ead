package dev.rollcall.agent.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.MemoryDetails;
import dev.rollcall.model.usage.Usage;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.model.usage.UsageRecord.Kind;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.lines.LineMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageFileTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final NodeName NODE = new NodeName("node1");
  private static final OptionalLong NO = OptionalLong.empty();

  @TempDir private Path directory;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LineMeters meters = LineMeters.of(registry, "file");
  private Path file;

  @BeforeEach
  void place() {
    file = directory.resolve("log/usage.jsonl");
  }

  private UsageFile open() throws IOException {
    return new UsageFile(file, directory, meters, Duration.ofMillis(20));
  }

  private static String session(long number, Optional<Instant> ended) {
    return UsageJson.line(
        new UsageRecord(
            Kind.SESSION,
            new JobId(42),
            Optional.of(StepId.EXTERN),
            OptionalLong.of(number),
            1001,
            NOON,
            ended,
            new Usage(
                Optional.of(Duration.ofMillis(1500)),
                Optional.of(Duration.ofNanos(1)),
                NO,
                OptionalLong.of(4096),
                NO,
                NO,
                OptionalLong.of(0),
                NO,
                OptionalLong.of(1),
                NO,
                Optional.empty(),
                new MemoryDetails(
                    OptionalLong.of(2048),
                    OptionalLong.of(1),
                    OptionalLong.of(2),
                    OptionalLong.of(3072),
                    OptionalLong.of(9),
                    NO))),
        NODE);
  }

  private static String ended(long number) {
    return session(number, Optional.of(NOON.plusSeconds(number)));
  }

  private List<String> lines() {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    Await.until("it comes about", condition);
  }

  @Test
  void aRecordIsOneLineOfJsonAndWhatIsNotCountedIsNull() {
    assertEquals(
        """
        {"kind":"session","node":"node1","job":42,"step":"extern","session":1,"uid":1001,\
        "began_at":"2026-11-20T12:00:00Z","ended_at":"2026-11-20T12:00:01Z",\
        "user_seconds":1.5,"system_seconds":1.0E-9,"memory_now":null,"memory_peak":4096,\
        "memory_anonymous":2048,"memory_shared":1,"memory_cache":2,"memory_required_sampled_peak":3072,"page_faults":9,\
        "major_page_faults":null,\
        "read_bytes":null,"written_bytes":null,"processes_now":0,"processes_peak":null,\
        "oom_kills":1,"pids_refused":null,"pressure":null}\
        """,
        ended(1));
  }

  @Test
  void linesComeInOrderAndTheDirectoryIsMade() throws Exception {
    try (UsageFile open = open()) {
      assertTrue(open.add(ended(1)));
      assertTrue(open.add(ended(2)));
      await(() -> lines().equals(List.of(ended(1), ended(2))));
    }
  }

  @Test
  void aFileThatIsRenamedIsMadeAnew() throws Exception {
    try (UsageFile open = open()) {
      open.add(ended(1));
      await(() -> lines().equals(List.of(ended(1))));
      Files.move(file, directory.resolve("log/usage.jsonl.1"));
      open.add(ended(2));
      await(() -> lines().equals(List.of(ended(2))));
    }
  }

  @Test
  void whatCannotBeWrittenWaitsAndIsWrittenWhenItCan() throws Exception {
    Files.createDirectories(file);
    try (UsageFile open = open()) {
      open.add(ended(1));
      await(() -> meters.failures().count() > 1);
      open.add(ended(2));
      assertEquals(2, meters.waiting().get());
      Files.delete(file);
      await(() -> lines().equals(List.of(ended(1), ended(2))));
      await(() -> meters.waiting().get() == 0);
      assertEquals(2, meters.lines().count());
      assertEquals(0, meters.lost().count());
    }
  }

  @Test
  void whatWasSpooledIsWrittenByTheNextAgentAndNothingTwice() throws Exception {
    Files.createDirectories(directory.resolve("log"));
    Files.writeString(file, ended(1) + "\n");
    // The agent was killed after it had written the first, before it took it out of the spool.
    Files.writeString(directory.resolve("usage.spool"), ended(1) + "\n" + ended(2) + "\n{\"half");
    try (UsageFile open = open()) {
      await(() -> lines().size() == 2);
      assertEquals(List.of(ended(1), ended(2)), lines());
      assertFalse(open.add(session(1, Optional.of(NOON.plusSeconds(99)))), "of the same session");
      assertFalse(open.add(ended(2)));
      assertTrue(open.add(ended(3)));
      await(() -> lines().size() == 3);
    }
  }

  @Test
  void whatIsInTheRotatedFileIsNotWrittenAgain() throws Exception {
    Files.createDirectories(directory.resolve("log"));
    Files.writeString(directory.resolve("log/usage.jsonl.1"), ended(1) + "\n" + ended(2) + "\n");
    Files.writeString(file, ended(3) + "\n");
    Files.writeString(directory.resolve("usage.spool"), ended(2) + "\n" + ended(4) + "\n");
    try (UsageFile open = open()) {
      assertFalse(open.add(ended(1)));
      await(() -> lines().equals(List.of(ended(3), ended(4))));
    }
  }

  /** More than the heap. */
  @Test
  void aSpoolOfSixtyMebibytesIsWrittenWithTheMemoryOfAnAgent() throws Exception {
    Path spool = directory.resolve("usage.spool");
    String line = ended(1) + "\n";
    try (var to = Files.newBufferedWriter(spool)) {
      for (int number = 1; (long) number * line.length() < 60 << 20; number++) {
        to.write(line.replace("\"session\":1,", "\"session\":" + number + ","));
      }
    }
    Path all = Files.copy(spool, directory.resolve("all"));
    Process small = SmallUsageFile.start(file, directory);
    try {
      assertTrue(small.waitFor(120, TimeUnit.SECONDS), "it ends");
      assertEquals(0, small.exitValue());
    } finally {
      small.destroyForcibly();
    }
    assertEquals(-1, Files.mismatch(all, file), "each line once, in order");
    assertEquals(0, Files.size(spool));
  }

  @Test
  void anAccountSoFarIsNotTakenForTheLast() throws Exception {
    try (UsageFile open = open()) {
      open.add(session(1, Optional.empty()));
      await(() -> lines().size() == 1);
    }
    try (UsageFile open = open()) {
      assertTrue(open.add(ended(1)));
      await(() -> lines().size() == 2);
    }
  }
}
