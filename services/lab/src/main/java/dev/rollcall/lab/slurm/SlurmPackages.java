package dev.rollcall.lab.slurm;

import dev.rollcall.testkit.process.RigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The programs that Slurm is made of, and the Debian packages that have them. */
final class SlurmPackages {
  private static final Map<String, String> PACKAGES =
      Map.of(
          "/usr/sbin/slurmctld", "slurmctld",
          "/usr/sbin/slurmd", "slurmd",
          "/usr/sbin/slurmdbd", "slurmdbd",
          "/usr/bin/sbatch", "slurm-client",
          "/usr/sbin/munged", "munge",
          "/usr/sbin/mariadbd", "mariadb-server");

  private SlurmPackages() {}

  /** Fails with the names of all that is missing. */
  static void check() {
    var missing = new TreeMap<>(PACKAGES);
    missing.keySet().removeIf(program -> Files.isExecutable(Path.of(program)));
    if (!missing.isEmpty()) {
      throw new RigException(
          "missing here: %s. Install the Debian packages %s, with their services held"
              .formatted(missing.keySet(), String.join(" ", missing.values())));
    }
  }
}
