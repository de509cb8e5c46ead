package dev.rollcall.wire.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.lines.JsonLinesFile.Target;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lines that wait in memory; those of a spool are in the agent's UsageFileTest. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JsonLinesFileTest {
  @TempDir private Path directory;
  private final LineMeters counted = LineMeters.of(new SimpleMeterRegistry(), "file");
  private Path file;

  @BeforeEach
  void place() {
    file = directory.resolve("log/lines.jsonl");
  }

  private JsonLinesFile open(int largest) {
    return JsonLinesFile.queued(
        new Target(file, "rw-r-----", "lines", Duration.ofMillis(20)), largest, counted);
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
  void aFileIsMadeWithItsModeAndMadeAnewWhenItIsRenamed() throws IOException {
    try (JsonLinesFile open = open(1_000)) {
      open.add("{1}");
      await(() -> lines().equals(List.of("{1}")));
      assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      Files.move(file, directory.resolve("log/lines.jsonl.1"));
      open.add("{2}");
      await(() -> lines().equals(List.of("{2}")));
    }
    assertEquals(2, counted.lines().count());
    assertEquals(0, counted.failures().count());
  }

  @Test
  void onAFullDiskLinesWaitAndWhatIsTooMuchIsCounted() throws IOException {
    Files.createDirectories(directory.resolve("log"));
    // Every write(2) to it is ENOSPC.
    Files.createSymbolicLink(file, Path.of("/dev/full"));
    try (JsonLinesFile open = open(10)) {
      open.add("{1}");
      open.add("{2}");
      await(() -> counted.failures().count() > 1);
      open.add("{3}");
      assertEquals(2, counted.waiting().get());
      assertEquals(1, counted.lost().count());
      Files.delete(file);
      await(() -> lines().equals(List.of("{1}", "{2}")));
      open.add("{4}");
      await(() -> lines().equals(List.of("{1}", "{2}", "{4}")));
    }
    assertEquals(0, counted.waiting().get());
    assertEquals(3, counted.lines().count());
  }

  @Test
  void whoeverWaitsForALineHearsWhenItIsInTheFileOrLost() throws IOException {
    Files.createDirectories(directory.resolve("log"));
    Files.createSymbolicLink(file, Path.of("/dev/full"));
    List<String> settled = new CopyOnWriteArrayList<>();
    try (JsonLinesFile open = open(10)) {
      open.add("{1}", () -> settled.add("1"));
      open.add(
          "{2}",
          () -> {
            settled.add("2");
            throw new IllegalStateException("keeps nothing back");
          });
      await(() -> counted.failures().count() > 1);
      assertEquals(List.of(), settled);
      open.add("{3}", () -> settled.add("3 is lost"));
      assertEquals(List.of("3 is lost"), settled);
      Files.delete(file);
      await(() -> settled.equals(List.of("3 is lost", "1", "2")));
      assertEquals(List.of("{1}", "{2}"), lines());
      open.add("{4}");
      open.add("{5}", () -> settled.add("5"));
      await(() -> settled.contains("5"));
      assertEquals(List.of("{1}", "{2}", "{4}", "{5}"), lines());
    }
  }

  @Test
  void halfALineOfAKilledProcessStaysOnALineOfItsOwn() throws IOException {
    Files.createDirectories(directory.resolve("log"));
    Files.writeString(file, "{1}\n{\"half");
    try (JsonLinesFile open = open(1_000)) {
      open.add("{2}");
      await(() -> lines().equals(List.of("{1}", "{\"half", "{2}")));
      open.add("{3}");
    }
    assertEquals(List.of("{1}", "{\"half", "{2}", "{3}"), lines());
  }

  @Test
  void lastLinesAreReadAsFarAsTheyCanBe() throws IOException {
    assertEquals(List.of(), JsonLinesFile.lastLines(file, 1_000));
    Files.createDirectories(directory.resolve("log"));
    Files.writeString(file, "{1}\n{2}\n{\"half");
    assertEquals(List.of("2}", "{\"half"), JsonLinesFile.lastLines(file, 9));
    assertEquals(List.of("{1}", "{2}", "{\"half"), JsonLinesFile.lastLines(file, 1_000));
    Files.writeString(directory.resolve("log/" + file.getFileName() + ".1"), "{-1}\n{0}\n");
    assertEquals(List.of("2}", "{\"half"), JsonLinesFile.lastLines(file, 9));
    assertEquals(List.of("0}", "{1}", "{2}", "{\"half"), JsonLinesFile.lastLines(file, 17));
    Files.delete(file);
    assertEquals(List.of("{-1}", "{0}"), JsonLinesFile.lastLines(file, 1_000));
  }

  @Test
  void aFileThatHangsHoldsNobody() throws Exception {
    Files.createDirectories(directory.resolve("log"));
    // open(2) for writing waits for a reader (fifo(7)), as a dead NFS server would have it wait.
    assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
    try (JsonLinesFile open = open(10)) {
      open.add("{1}");
      open.add("{2}");
      open.add("{3}");
      assertEquals(1, counted.lost().count());
      assertEquals(2, counted.waiting().get());
    }
    assertEquals(0, counted.lines().count());
    // The writer is let go, and ends.
    Files.newByteChannel(file).close();
  }
}
