package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.INFO;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads SlurmdSpoolDir from {@code slurm.conf}, slurm.conf(5). Names of parameters in any case (the
 * last one holds), {@code #} begins a comment, a backslash at the end of a line continues it, and
 * files named by Include are read, relative ones beside the first.
 */
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

  private static final int MOST_INCLUDES = 100;

  private final Map<String, String> values = new HashMap<>();
  private int includes;

  private SlurmConf() {}

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
   * @throws IOException naming the file that cannot be read
   */
  public static SlurmConf read(Path file) throws IOException {
    SlurmConf conf = new SlurmConf();
    conf.take(file);
    return conf;
  }

  private void take(Path file) throws IOException {
    if (includes++ > MOST_INCLUDES) {
      throw new IOException(file + ": more than " + MOST_INCLUDES + " files are included");
    }
    String text;
    try {
      text = new String(Files.readAllBytes(file), UTF_8); // comments may be in another encoding
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e, e);
    }
    for (String line : text.replace("\\\n", " ").lines().toList()) {
      take(file, line.replaceFirst("#.*", "").strip());
    }
  }

  private void take(Path file, String line) throws IOException {
    String[] words = line.split("\\s+", 2);
    if (words.length == 2 && words[0].equalsIgnoreCase("include")) {
      take(file.resolveSibling(words[1].strip()));
      return;
    }
    int equals = line.indexOf('=');
    if (equals > 0) {
      String name = line.substring(0, equals).strip().toLowerCase(Locale.ROOT);
      String value = line.substring(equals + 1).strip();
      values.put(name, value.replaceFirst("^\"(.*)\"$", "$1"));
    }
  }

  /**
   * SlurmdSpoolDir, with {@code %n} and {@code %h} filled in.
   *
   * @param node the NodeName
   * @param host the short host name
   */
  public Path spoolDirectory(String node, String host) {
    String value = values.get("slurmdspooldir");
    return value == null ? DEFAULT_SPOOL : Path.of(value.replace("%n", node).replace("%h", host));
  }
}
