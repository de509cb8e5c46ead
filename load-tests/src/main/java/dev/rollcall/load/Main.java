package dev.rollcall.load;

import dev.rollcall.load.announce.AnnounceBenchmark;
import dev.rollcall.load.attack.AttackCommand;
import dev.rollcall.load.bench.BenchCommand;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.load.brief.BriefBenchmark;
import dev.rollcall.load.container.ContainerBenchmark;
import dev.rollcall.load.large.LargeBenchmark;
import dev.rollcall.load.login.LoginBenchmark;
import dev.rollcall.load.lookup.LookupBenchmark;
import dev.rollcall.load.micro.MicroBenchmark;
import dev.rollcall.load.move.MoveBenchmark;
import dev.rollcall.load.processes.ProcessesBenchmark;
import dev.rollcall.load.quiet.QuietBenchmark;
import dev.rollcall.load.scrape.ScrapeBenchmark;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/**
 * {@code ./rollcall bench [NAME...]} and {@code ./rollcall attack}. Exits with 0 when all was
 * measured, 1 when something could not be, 2 when it was called wrongly.
 */
public final class Main {
  private static final List<Benchmark> ALL =
      List.of(
          new LoginBenchmark(),
          new MoveBenchmark(),
          new LookupBenchmark(),
          new LargeBenchmark(),
          new ProcessesBenchmark(),
          new AnnounceBenchmark(),
          new BriefBenchmark(),
          new ContainerBenchmark(),
          new MicroBenchmark(),
          new ScrapeBenchmark(),
          new QuietBenchmark());

  private Main() {}

  /** The names of all benchmarks, as the command line has them. */
  public static List<String> names() {
    return ALL.stream().map(Benchmark::name).toList();
  }

  public static void main(String[] args) {
    System.setProperty("java.awt.headless", "true");
    boolean attacks = args.length > 0 && args[0].equals("attack");
    System.exit(
        attacks
            ? new CommandLine(new AttackCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(Arrays.copyOfRange(args, 1, args.length))
            : new CommandLine(new BenchCommand(ALL)).execute(args));
  }
}
