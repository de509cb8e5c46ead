package dev.rollcall.load.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Describes the machine that runs a benchmark, and the versions of what is measured on it. */
final class Machine {
  private static final Path SLURMD = Path.of("/usr/sbin/slurmd");
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(10);
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private Machine() {}

  static JsonObject json() {
    var json =
        new JsonObject()
            .put("processors", Runtime.getRuntime().availableProcessors())
            .put("processor", processor())
            .put("memory_mib", SYSTEM.getTotalMemorySize() >> 20)
            .put("kernel", System.getProperty("os.version"))
            .put("java", Runtime.version().toString());
    if (Files.isExecutable(SLURMD)) {
      json.put("slurm", slurm());
    }
    return json;
  }

  /** The machine's load average of the last minute; proc_loadavg(5). */
  static double load() {
    return SYSTEM.getSystemLoadAverage();
  }

  /** Not every architecture has a line with the model's name. */
  private static String processor() {
    try {
      return Files.readAllLines(PROCESSORS).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + PROCESSORS, e);
    }
  }

  /** {@code slurmd -V} prints {@code slurm-wlm 22.05.8}. */
  private static String slurm() {
    try {
      String printed =
          Running.run(ANSWERS_WITHIN, List.of(SLURMD.toString(), "-V")).outOrThrow("slurmd -V");
      return printed.strip().replaceFirst("^slurm\\S* ", "");
    } catch (RigException e) {
      throw new BenchFailedException("slurmd -V: " + e.getMessage(), e);
    }
  }
}
