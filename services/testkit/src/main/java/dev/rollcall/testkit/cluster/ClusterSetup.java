package dev.rollcall.testkit.cluster;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a cluster is raised from.
 *
 * @param distribution the folder with {@code lib/agent} and so on; empty: nodes with a plain sshd
 * @param javaHome the JDK that agents and the gateway run on
 * @param pamOptions options of pam_rollcall.so, as in a PAM line
 * @param readyWithin how long each process may take to report that it is ready
 */
public record ClusterSetup(
    Optional<Path> distribution, Path javaHome, List<String> pamOptions, Duration readyWithin) {
  public ClusterSetup {
    requireNonNull(distribution, "distribution");
    requireNonNull(javaHome, "javaHome");
    pamOptions = List.copyOf(pamOptions);
    requireNonNull(readyWithin, "readyWithin");
  }

  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  /** Nodes, users and sshd, without Rollcall. */
  public static ClusterSetup bare() {
    return new ClusterSetup(Optional.empty(), ownJava(), List.of(), READY_WITHIN);
  }

  /** The whole thing, from a distribution, on the JDK that runs this. */
  public static ClusterSetup of(Path distribution) {
    Path absolute = distribution.toAbsolutePath().normalize();
    return new ClusterSetup(Optional.of(absolute), ownJava(), List.of(), READY_WITHIN);
  }

  public ClusterSetup withPamOptions(String... options) {
    return new ClusterSetup(distribution, javaHome, List.of(options), readyWithin);
  }

  private static Path ownJava() {
    return Path.of(System.getProperty("java.home"));
  }
}
