package dev.rollcall.load.gateway;

import dev.rollcall.load.bench.BenchFailedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the CPU time and memory of a process of this machine. */
public final class ProcessCost {
  private static final Pattern HEAP = Pattern.compile("total \\d+K, used (\\d+)K");

  private ProcessCost() {}

  /**
   * Processor time of all its threads that live, in nanoseconds: schedstat's first number, Linux
   * 2.6.9. The threads of our processes live as long as they do, but for a few at the start.
   */
  public static long cpuNanos(long pid) {
    return cpuNanos(pid, _ -> true);
  }

  /** The same of a JVM's compilers alone: while they are busy it is not warm. */
  public static long compilingNanos(long pid) {
    return cpuNanos(pid, name -> name.matches("C[12] CompilerThre.*"));
  }

  private static long cpuNanos(long pid, Predicate<String> threadName) {
    long sum = 0;
    for (Path thread : threads(pid)) {
      try {
        if (!threadName.test(Files.readString(thread.resolve("comm")).strip())) {
          continue;
        }
        String stat = Files.readString(thread.resolve("schedstat"));
        sum += Long.parseLong(stat.substring(0, stat.indexOf(' ')));
      } catch (IOException e) {
        // The thread has ended meanwhile.
      }
    }
    return sum;
  }

  private static List<Path> threads(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return threads.toList();
    } catch (IOException e) {
      throw new BenchFailedException("process " + pid + " is not there any more", e);
    }
  }

  /** Resident memory in bytes; VmRSS of proc_pid_status(5). */
  public static long residentBytes(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new BenchFailedException("process " + pid + " is not there any more", e);
    }
  }

  /** How many descriptors it has open. */
  public static int descriptors(long pid) {
    String[] open = Path.of("/proc/" + pid + "/fd").toFile().list();
    return open == null ? 0 : open.length;
  }

  /** What a JVM's heap holds right after a collection of all of it, in bytes; by jcmd(1). */
  public static long liveHeapBytes(long pid) {
    jcmd(pid, "GC.run");
    Matcher used = HEAP.matcher(jcmd(pid, "GC.heap_info"));
    long kilobytes = 0;
    while (used.find()) {
      kilobytes += Long.parseLong(used.group(1));
    }
    if (kilobytes == 0) {
      throw new BenchFailedException("jcmd " + pid + " GC.heap_info told no heap");
    }
    return kilobytes * 1024;
  }

  private static String jcmd(long pid, String command) {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin/jcmd");
    try {
      Process process =
          new ProcessBuilder(jcmd.toString(), Long.toString(pid), command)
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new BenchFailedException(jcmd + " " + pid + " " + command + ": " + said.strip());
      }
      return said;
    } catch (IOException e) {
      throw new BenchFailedException("cannot run " + jcmd + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailedException("interrupted", e);
    }
  }
}
