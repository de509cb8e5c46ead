package dev.rollcall.settings;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads SlurmdSpoolDir from {@code slurm.conf}, slurm.conf(5). The last one holds. */
public final class SlurmConf {
  private static final System.Logger LOG = System.getLogger(SlurmConf.class.getName());

  private static final Duration PAUSE = Duration.ofMillis(500);

  private static final Path DEFAULT_SPOOL = Path.of("/var/spool/slurmd");

  /** Where packages have it, and slurmd without a file of its own; last that of an earlier boot. */
  private static final List<Path> PLACES =
      List.of(
          Path.of("/etc/slurm/slurm.conf"),
          Path.of("/etc/slurm-llnl/slurm.conf"),
          Path.of("/run/slurm/conf/slurm.conf"),
          Path.of("/usr/local/etc/slurm.conf"),
          DEFAULT_SPOOL.resolve("conf-cache/slurm.conf"));

  private static final int MOST_PROBLEMS = 10;

  private final Optional<String> spool;

  private SlurmConf(Optional<String> spool) {
    this.spool = spool;
  }

  /** The first of the usual places that has a file. */
  public static Optional<Path> find() {
    return first(PLACES);
  }

  private static Optional<Path> first(List<Path> places) {
    return places.stream().filter(Files::isRegularFile).findFirst();
  }

  /**
   * The same, on a node whose slurmd may still have to get it from slurmctld, slurm.conf(5), {@code
   * enable_configless}. Blocks.
   *
   * @param own the only place, if the site names one
   * @return empty if there is none after that time
   */
  public static Optional<Path> await(Optional<Path> own, Duration within)
      throws InterruptedException {
    return await(own.map(List::of).orElse(PLACES), within);
  }

  static Optional<Path> await(List<Path> places, Duration within) throws InterruptedException {
    long end = System.nanoTime() + within.toNanos();
    Optional<Path> found = first(places);
    if (found.isEmpty()) {
      LOG.log(INFO, "waits {0} s for slurm.conf, in one of {1}", within.toSeconds(), places);
    }
    while (found.isEmpty() && System.nanoTime() < end) {
      Thread.sleep(PAUSE);
      found = first(places);
    }
    return found;
  }

  /**
   * Reads a file, and those that it includes. What of it cannot be read is logged, and the rest is
   * used: the agent needs one value of it.
   *
   * @throws IOException naming the file, if nothing of it can be read
   */
  public static SlurmConf read(Path file) throws IOException {
    SlurmLines read = SlurmLines.read(file);
    if (read.lines().isEmpty() && !read.problems().isEmpty()) {
      throw new IOException("cannot read " + read.problems().getFirst());
    }
    read.problems().stream()
        .limit(MOST_PROBLEMS)
        .forEach(problem -> LOG.log(WARNING, "{0}", problem));
    return new SlurmConf(
        read.lines().stream()
            .flatMap(line -> line.pairs().stream())
            .filter(pair -> pair.key().equalsIgnoreCase("SlurmdSpoolDir"))
            .filter(pair -> !pair.value().isEmpty())
            .reduce((_, last) -> last)
            .map(SlurmLines.Pair::value));
  }

  /**
   * SlurmdSpoolDir, with {@code %n} and {@code %h} filled in.
   *
   * @param node the NodeName
   * @param host the short host name
   */
  public Path spoolDirectory(String node, String host) {
    return spool
        .map(value -> Path.of(value.replace("%n", node).replace("%h", host)))
        .orElse(DEFAULT_SPOOL);
  }
}
