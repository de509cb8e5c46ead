package dev.rollcall.linux.cgroup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.model.usage.Pressure;
import dev.rollcall.model.usage.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The files by which a cgroup's usage is told: one text, under the names of all of them. */
class CgroupUsageFuzzTest {
  private static final List<String> NAMES =
      List.of(
          "blkio.throttle.io_service_bytes_recursive",
          "cpu.pressure",
          "cpu.stat",
          "cpuacct.stat",
          "cpuacct.usage",
          "io.pressure",
          "io.stat",
          "memory.current",
          "memory.events",
          "memory.events.local",
          "memory.oom_control",
          "memory.peak",
          "memory.pressure",
          "pids.current",
          "pids.events",
          "pids.events.local",
          "pids.peak");

  /** What no counter reaches: sums of less do not overflow. */
  private static final Pattern IMMENSE = Pattern.compile("[0-9]{13}");

  private static Path directory;
  private static Path text;

  @BeforeAll
  static void link() throws IOException {
    Path memory = Path.of("/dev/shm");
    directory =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "rollcall-fuzz")
            : Files.createTempDirectory("rollcall-fuzz");
    text = directory.resolve("text");
    for (String name : NAMES) {
      Files.createSymbolicLink(directory.resolve(name), text);
    }
  }

  @AfterAll
  static void remove() throws IOException {
    for (String name : NAMES) {
      Files.delete(directory.resolve(name));
    }
    Files.deleteIfExists(text);
    Files.delete(directory);
  }

  @FuzzTest
  void fuzz(byte[] input) throws IOException {
    Files.write(text, input);
    var cgroup = new CgroupFiles(List.of(new CgroupDirectory(directory)));
    Usage read = CgroupUsage.read(cgroup, Carried.NONE);
    Carried carried = Carried.of(cgroup);
    if (IMMENSE.matcher(new String(input, ISO_8859_1)).find()) {
      return;
    }
    assertTrue(Carried.parse(carried.text()).isPresent(), carried::text);
    Stream.of(
            read.memoryNow(),
            read.memoryPeak(),
            read.readBytes(),
            read.writtenBytes(),
            read.processesNow(),
            read.processesPeak(),
            read.oomKills(),
            read.pidsRefused(),
            read.details().anonymous(),
            read.details().shared(),
            read.details().cache(),
            read.details().sampledRequiredPeak(),
            read.details().faults(),
            read.details().majorFaults())
        .flatMapToLong(OptionalLong::stream)
        .forEach(number -> assertTrue(number >= 0, read::toString));
    Stream.concat(
            Stream.of(read.userTime(), read.systemTime()).flatMap(Optional::stream),
            read.pressure().stream().flatMap(CgroupUsageFuzzTest::waits))
        .map(Duration::isNegative)
        .forEach(negative -> assertFalse(negative, read::toString));
  }

  private static Stream<Duration> waits(Pressure pressure) {
    return Stream.of(pressure.cpu(), pressure.memory(), pressure.io());
  }
}
