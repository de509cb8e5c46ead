package dev.rollcall.load.gateway;

import dev.rollcall.load.bench.BenchFailedException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
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
  private static final Pattern HEAP =
      Pattern.compile("used (\\d+)K +\\[0x(\\p{XDigit}+), *0x\\p{XDigit}+, *0x(\\p{XDigit}+)\\)");
  private static final Pattern MAPPING =
      Pattern.compile("^(\\p{XDigit}+)-\\p{XDigit}+ .*|^Rss: +(\\d+) kB$");

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

  /**
   * A JVM's memory right after a collection of all of its heap, in bytes.
   *
   * @param live what its heap holds
   * @param outside resident memory outside of the heap: direct memory, stacks, code
   */
  public record Held(long live, long outside) {}

  /** By the commands of jcmd(1), and smaps of proc_pid_smaps(5). */
  public static Held held(long pid) {
    command(pid, "GC.run");
    Matcher generation = HEAP.matcher(command(pid, "GC.heap_info"));
    long live = 0;
    long from = Long.MAX_VALUE;
    long to = 0;
    while (generation.find()) {
      live += Long.parseLong(generation.group(1)) * 1024;
      from = Math.min(from, Long.parseUnsignedLong(generation.group(2), 16));
      to = Math.max(to, Long.parseUnsignedLong(generation.group(3), 16));
    }
    if (live == 0) {
      throw new BenchFailedException("jcmd " + pid + " GC.heap_info told no heap");
    }
    return new Held(live, residentOutside(pid, from, to));
  }

  private static long residentOutside(long pid, long from, long to) {
    long sum = 0;
    boolean outside = true;
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/smaps"))) {
      for (String line : (Iterable<String>) lines::iterator) {
        Matcher mapping = MAPPING.matcher(line);
        if (mapping.matches() && mapping.group(1) != null) {
          long start = Long.parseUnsignedLong(mapping.group(1), 16);
          outside = Long.compareUnsigned(start, from) < 0 || Long.compareUnsigned(start, to) >= 0;
        } else if (mapping.matches() && outside) {
          sum += Long.parseLong(mapping.group(2)) * 1024;
        }
      }
      return sum;
    } catch (IOException e) {
      throw new BenchFailedException("process " + pid + " is not there any more", e);
    }
  }

  /** What a JVM's heap holds right after a collection of all of it, in bytes. */
  public static long liveHeapBytes(long pid) {
    return held(pid).live();
  }

  /** By the JVM's socket, which is there after its first command: jcmd starts a JVM each time. */
  private static String command(long pid, String command) {
    Path socket = Path.of("/tmp/.java_pid" + pid);
    if (!Files.exists(socket)) {
      return jcmd(pid, command);
    }
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(StandardCharsets.UTF_8.encode("1\0jcmd\0" + command + "\0\0\0"));
      byte[] answer = Channels.newInputStream(channel).readAllBytes();
      return new String(answer, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new BenchFailedException("process " + pid + " does not answer: " + e, e);
    }
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
