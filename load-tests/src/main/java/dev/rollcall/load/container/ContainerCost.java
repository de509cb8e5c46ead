package dev.rollcall.load.container;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Measures what it costs to begin jobs with containers until many are there at once, and to end
 * them again; by turns Rollcall's and a site's commands, and a process that does nothing. As root:
 * {@code ContainerCost [DIRECTORY [JOBS]]}; the directory is not below /tmp.
 */
public final class ContainerCost {
  private static final int JOBS = 500;
  private static final int OWNER = 65_534;
  private static final double MILLI = 1_000_000.0;

  private final Containers ours;
  private final Containers commands;
  private final List<Long> oursTook = new ArrayList<>();
  private final List<Long> commandsTook = new ArrayList<>();
  private final List<Long> nothingTook = new ArrayList<>();

  /** One of the things that are measured. */
  @FunctionalInterface
  private interface Act {
    void run() throws IOException;
  }

  private ContainerCost(Containers ours, Containers commands) {
    this.ours = ours;
    this.commands = commands;
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length > 2) {
      System.err.println("usage: ContainerCost [DIRECTORY [JOBS]]");
      System.exit(64);
    }
    Path directory = Path.of(arguments.length > 0 ? arguments[0] : "/var/tmp");
    int jobs = arguments.length > 1 ? Integer.parseUnsignedInt(arguments[1]) : JOBS;
    measure(directory, jobs, System.out);
  }

  static void measure(Path directory, int jobs, PrintStream out) throws IOException {
    Path top = Files.createTempDirectory(directory, "rollcall-container-cost-");
    Path one = Files.createDirectory(top.resolve("ours"));
    Path other = Files.createDirectory(top.resolve("commands"));
    try {
      var steps = new StepTimes();
      try (var ours = new OurContainers(one, OWNER, steps);
          var commands = new CommandContainers(other, OWNER)) {
        new ContainerCost(ours, commands).begin(jobs, steps, out);
        new ContainerCost(ours, commands).end(jobs, out);
        ours.awaitRemovals();
      }
    } finally {
      Commands.run("rm", "-rf", "--one-file-system", top.toString());
    }
  }

  private void begin(int jobs, StepTimes steps, PrintStream out) throws IOException {
    for (int job = 1; job <= jobs; job++) {
      int each = job;
      turn(
          job,
          () -> {
            ours.make(each);
            steps.end();
          },
          () -> commands.make(each));
    }
    for (int job = 1; job <= jobs; job++) {
      if (!ours.has(job) || !commands.has(job)) {
        throw new IOException("the container of job " + job + " is not there");
      }
    }
    print(out, "begin");
    steps.all().forEach((step, took) -> print(out, "  " + step, took));
  }

  private void end(int jobs, PrintStream out) throws IOException {
    for (int job = 1; job <= jobs; job++) {
      int each = job;
      turn(job, () -> ours.remove(each), () -> commands.remove(each));
    }
    print(out, "end");
  }

  /** Who is first changes, as what is done first may find caches cold. */
  private void turn(int job, Act ourAct, Act commandsAct) throws IOException {
    if (job % 2 == 0) {
      oursTook.add(time(ourAct));
      commandsTook.add(time(commandsAct));
    } else {
      commandsTook.add(time(commandsAct));
      oursTook.add(time(ourAct));
    }
    nothingTook.add(time(() -> Commands.run("true")));
  }

  private static long time(Act act) throws IOException {
    long start = System.nanoTime();
    act.run();
    return System.nanoTime() - start;
  }

  private void print(PrintStream out, String what) {
    double base = print(out, what + ", Rollcall", oursTook);
    double other = print(out, what + ", commands", commandsTook);
    print(out, "a process that does nothing", nothingTook);
    out.println(
        String.format(
            Locale.ROOT, "%s: by commands %.1f times as long (medians)", what, other / base));
  }

  /** Milliseconds: the first, and of all the median, p90, p99 and the greatest. */
  private static double print(PrintStream out, String what, List<Long> nanos) {
    double median = percentile(nanos, 50);
    out.println(
        String.format(
            Locale.ROOT,
            "%-28s n %4d  first %8.3f  median %8.3f  p90 %8.3f  p99 %8.3f  max %8.3f ms",
            what,
            nanos.size(),
            nanos.getFirst() / MILLI,
            median,
            percentile(nanos, 90),
            percentile(nanos, 99),
            Collections.max(nanos) / MILLI));
    return median;
  }

  private static double percentile(List<Long> nanos, int percent) {
    List<Long> sorted = nanos.stream().sorted().toList();
    return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)) / MILLI;
  }
}
