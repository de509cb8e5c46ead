package dev.rollcall.load.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs benchmarks, prints their tables, and keeps their figures and pictures. */
@Command(
    name = "bench",
    description =
        "Measure Rollcall beside Slurm and beside the floor, and write JSON and pictures. As root.",
    mixinStandardHelpOptions = true)
public final class BenchCommand implements Callable<Integer> {
  private static final int FEWEST_NODES = 2;

  /** Each has an address of its own in one private network. */
  private static final int MOST_NODES = 99_999;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "What to measure (default: all, one after another).")
  private List<String> names = List.of();

  @Option(
      names = "--quick",
      description = "A short run of each case, which shows that it works. Its figures mean little.")
  private boolean quick;

  @Option(names = "--json", description = "Print the figures as a JSON object, and nothing else.")
  private boolean json;

  @Option(names = "--list", description = "Print the names, and what each measures.")
  private boolean list;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Determines what is drawn. Without it one is drawn, and kept with the figures.")
  private @Nullable Long seed;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      split = ",",
      description =
          "For large and processes: so many nodes, one number after another (default:"
              + " 100,300,1000,3000,10000, and 1000,10000).")
  private List<Integer> nodes = List.of();

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      required = true,
      description = "Where the figures and pictures go; the launcher names it.")
  private Path folder = Path.of("bench");

  @Option(
      names = "--distribution",
      paramLabel = "FOLDER",
      required = true,
      description = "What is measured: the folder with bin/rollcall; the launcher names it.")
  private Path distribution = Path.of("");

  @Option(
      names = "--commit",
      paramLabel = "COMMIT",
      description =
          "The commit that was built, which is kept with the figures; the launcher names it.")
  private @Nullable String commit;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final List<Benchmark> all;

  public BenchCommand(List<Benchmark> all) {
    this.all = all;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    List<Benchmark> chosen = chosen();
    if (list) {
      chosen.forEach(one -> out.printf("%-10s %s%n", one.name(), one.about()));
      return 0;
    }
    requireNodes();
    requireDistribution();
    int status = 0;
    for (Benchmark benchmark : chosen) {
      try {
        tell(out, err, measure(benchmark, err));
      } catch (BenchFailedException e) {
        err.println("rollcall bench " + benchmark.name() + ": " + e.getMessage());
        status = 1;
      }
      out.flush();
      err.flush();
    }
    return status;
  }

  private List<Benchmark> chosen() {
    var chosen = new ArrayList<Benchmark>();
    for (String name : names) {
      chosen.add(
          all.stream()
              .filter(one -> one.name().equals(name))
              .findFirst()
              .orElseThrow(() -> wrong("no benchmark '" + name + "'. There are: " + known())));
    }
    return chosen.isEmpty() ? all : chosen;
  }

  private String known() {
    return all.stream().map(Benchmark::name).collect(Collectors.joining(", "));
  }

  private void requireNodes() {
    for (int count : nodes) {
      if (count < FEWEST_NODES || count > MOST_NODES) {
        throw wrong(
            "--nodes " + count + ": expected between " + FEWEST_NODES + " and " + MOST_NODES);
      }
    }
  }

  private void requireDistribution() {
    if (!Files.isExecutable(distribution.resolve("bin/rollcall"))) {
      throw wrong(distribution + " is not a distribution: it has no bin/rollcall");
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw wrong("cannot make the folder " + folder + ": " + e);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private BenchReport measure(Benchmark benchmark, PrintWriter err) {
    long drawn = seed == null ? new SplittableRandom().nextLong(1_000_000_000) : seed;
    var bench =
        new Bench(
            quick,
            distribution.toAbsolutePath().normalize(),
            folder,
            drawn,
            nodes,
            line -> {
              err.println(benchmark.name() + ": " + line);
              err.flush();
            });
    Instant began = Instant.now();
    double load = Machine.load();
    long from = System.nanoTime();
    List<BenchCase> cases = benchmark.run(bench);
    return new BenchReport(
        benchmark.name(),
        began,
        (System.nanoTime() - from) / 1e9,
        load,
        Optional.ofNullable(commit).filter(named -> !named.isEmpty()),
        bench,
        cases);
  }

  private void tell(PrintWriter out, PrintWriter err, BenchReport report) {
    Path figures = report.write();
    out.print(json ? report.json().encode() + "\n" : report.text());
    var files = new ArrayList<Path>(List.of(figures));
    files.addAll(BarChart.draw(report, folder));
    err.println("written: " + files.stream().map(Path::toString).collect(Collectors.joining(", ")));
  }
}
