package dev.rollcall.wire.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rollcall.testkit.process.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packages' files for logrotate, by the real logrotate, under a process that writes. */
class LogrotateTest {
  private static final Path SHIPPED = Path.of("../../deploy/packages/logrotate");

  @TempDir private Path directory;

  private final LineMeters meters = LineMeters.of(new SimpleMeterRegistry(), "lines");

  @ParameterizedTest
  @CsvSource({
    "rollcall, /var/log/rollcall/, audit.jsonl",
    "rollcall, /var/log/rollcall/, usage.jsonl",
    "rollcall-gateway, /var/log/rollcall-gateway/, audit.jsonl"
  })
  void aProcessGoesOnInANewFileAfterARotation(String shipped, String logs, String name)
      throws IOException, InterruptedException {
    Path file = directory.resolve(name);
    Path configuration = directory.resolve("logrotate.conf");
    // Of the packages' user, which need not exist here.
    Files.writeString(
        configuration,
        Files.readString(SHIPPED.resolve(shipped))
            .replace(logs, directory + "/")
            .replace("\tsu rollcall rollcall\n", ""));
    try (var open =
        JsonLinesFile.queued(
            new JsonLinesFile.Target(file, "rw-r-----", "lines", Duration.ofMillis(20)),
            1_000,
            meters)) {
      add(open, file, "{1}");
      rotate(configuration);
      assertFalse(Files.exists(file));
      assertEquals(List.of("{1}"), Files.readAllLines(directory.resolve(name + ".1")));

      add(open, file, "{2}");
      rotate(configuration);
      add(open, file, "{3}");
    }
    assertEquals(0, meters.failures().count(), "writes that failed");
    assertEquals(0, meters.lost().count(), "lines that were lost");
    assertEquals(List.of("{2}"), Files.readAllLines(directory.resolve(name + ".1")));
    assertFalse(Files.exists(directory.resolve(name + ".2")), "the older one is compressed");
    assertEquals("{1}\n", said("zcat", directory.resolve(name + ".2.gz").toString()));
  }

  private static void add(JsonLinesFile open, Path file, String line) {
    open.add(line);
    Await.until(line + " is in the file", () -> contains(file, line));
  }

  private static boolean contains(Path file, String line) {
    try {
      return Files.exists(file) && Files.readString(file).equals(line + "\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** As if the day was over. */
  private void rotate(Path configuration) throws IOException, InterruptedException {
    assertEquals(
        "",
        said(
            "/usr/sbin/logrotate",
            "--force",
            "--state",
            directory.resolve("state").toString(),
            configuration.toString()));
  }

  private static String said(String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said;
    try (var output = process.inputReader()) {
      said = output.readAllAsString();
    }
    assertEquals(0, process.waitFor(), said);
    return said;
  }
}
