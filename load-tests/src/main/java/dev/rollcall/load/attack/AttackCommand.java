package dev.rollcall.load.attack;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Searches for attacks, or replays some. Exits with 1 when one succeeds. */
@Command(
    name = "attack",
    description = "Search for attacks that end, deafen or fill an agent or a gateway. As root.",
    mixinStandardHelpOptions = true)
public final class AttackCommand implements Callable<Integer> {
  enum Attacked {
    AGENT,
    GATEWAY,
    METRICS;

    AttackTarget start(Path distribution) {
      return this == GATEWAY
          ? new ShippedGateway(distribution)
          : new ShippedAgent(distribution, this == METRICS);
    }
  }

  @Option(
      names = "--target",
      paramLabel = "agent|gateway|metrics",
      description =
          "What is attacked: an agent by its users' socket, a gateway by its TLS port, or an agent"
              + " by the port of its metrics (default: agent).")
  private Attacked target = Attacked.AGENT;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long new attacks are searched for (default: 60).")
  private int seconds = 60;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Determines the first attacks that are drawn. Without it one is drawn.")
  private @Nullable Long seed;

  @Option(
      names = "--known",
      paramLabel = "FOLDER",
      required = true,
      description =
          "Has attacks from which the search starts, in a folder for each target; the launcher"
              + " names it.")
  private Path known = Path.of("");

  @Option(
      names = "--replay",
      paramLabel = "FILE",
      description = "Runs these attacks, and searches for no others. Can be given more than once.")
  private List<Path> replay = List.of();

  @Option(
      names = "--distribution",
      paramLabel = "FOLDER",
      required = true,
      description = "What is attacked: the folder with bin/rollcall; the launcher names it.")
  private Path distribution = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    long drawn = seed == null ? new SplittableRandom().nextLong(1_000_000_000) : seed;
    List<Attack> first = read(replay.isEmpty() ? known() : replay);
    long end = System.nanoTime() + (replay.isEmpty() ? TimeUnit.SECONDS.toNanos(seconds) : 0);
    out.println("seed " + drawn);
    List<Attack> found;
    try (var trial = new Trial(() -> target.start(distribution.toAbsolutePath().normalize()))) {
      var search =
          new AttackSearch(
              trial::run,
              drawn,
              line -> {
                out.println(line);
                out.flush();
              });
      found = search.run(first, () -> System.nanoTime() - end < 0);
    }
    out.println(found.isEmpty() ? "no attack succeeded" : found.size() + " attacks succeeded");
    out.flush();
    return found.isEmpty() ? 0 : 1;
  }

  private List<Path> known() {
    Path folder = known.resolve(target.name().toLowerCase(Locale.ROOT));
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "cannot list " + folder + ": " + e, e);
    }
  }

  private List<Attack> read(List<Path> files) {
    var attacks = new ArrayList<Attack>();
    for (Path file : files) {
      try {
        attacks.add(Attack.parse(Files.readString(file)));
      } catch (IOException | IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), file + ": " + e.getMessage(), e);
      }
    }
    return attacks;
  }
}
