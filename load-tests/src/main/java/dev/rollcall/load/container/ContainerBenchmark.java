package dev.rollcall.load.container;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Begins jobs with containers until many are there at once, and ends them again, by turns with a
 * site's commands, as a prolog would call them: they stand in the peer's place.
 */
public final class ContainerBenchmark implements Benchmark {
  /** Not below /tmp, in whose place each container has its own. */
  private static final Path DIRECTORY = Path.of("/var/tmp");

  private static final int OWNER = 65_534;

  @Override
  public String name() {
    return "container";
  }

  @Override
  public String about() {
    return "jobs with a private /tmp and /dev/shm, begun and ended, beside a site's commands";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    int jobs = bench.count(500, 4);
    try {
      Path top = Files.createTempDirectory(DIRECTORY, "rollcall-bench-container-");
      try {
        return in(top, jobs);
      } finally {
        Commands.run("rm", "-rf", "--one-file-system", top.toString());
      }
    } catch (IOException e) {
      throw new BenchFailedException(
          "cannot make containers in " + DIRECTORY + " (as root?): " + e.getMessage(), e);
    }
  }

  private static List<BenchCase> in(Path top, int jobs) throws IOException {
    var steps = new StepTimes();
    try (var ours = new OurContainers(Files.createDirectory(top.resolve("ours")), OWNER, steps);
        var commands =
            new CommandContainers(Files.createDirectory(top.resolve("commands")), OWNER)) {
      var cases = new ArrayList<BenchCase>();
      cases.add(begun(jobs, ours, commands, steps));
      steps
          .all()
          .forEach((step, took) ->
              cases.add(BenchCase.of("begin, " + step, "ms", AlternatingRuns.millis(took))));
      cases.add(ended(jobs, ours, commands));
      ours.awaitRemovals();
      return cases;
    }
  }

  private static BenchCase begun(int jobs, Containers ours, Containers commands, StepTimes steps)
      throws IOException {
    var turns = new AlternatingRuns();
    for (int job = 1; job <= jobs; job++) {
      int each = job;
      turns.take(
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
    return turns.told("begin").withFact("jobs", jobs);
  }

  private static BenchCase ended(int jobs, Containers ours, Containers commands)
      throws IOException {
    var turns = new AlternatingRuns();
    for (int job = 1; job <= jobs; job++) {
      int each = job;
      turns.take(job, () -> ours.remove(each), () -> commands.remove(each));
    }
    return turns.told("end").withFact("jobs", jobs);
  }
}
