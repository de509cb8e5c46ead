package dev.rollcall.lab.slurm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The settings of a test cluster's Slurm.
 *
 * @param lines of slurm.conf(5) beside those of all clusters
 * @param agentConfig what Rollcall's agents must be told: lines of their configuration
 * @param files others beside slurm.conf, by their names
 * @param configless whether slurmd has no file, but asks slurmctld for all of them
 */
public record SlurmSetup(
    List<String> lines, List<String> agentConfig, Map<String, String> files, boolean configless) {
  /** The GPUs of a node, as gres.conf(5) counts them. */
  public static final int GPUS = 4;

  /** The file of a GPU, before its number. No driver is behind it: open(2) ends with ENXIO. */
  public static final String GPU = "/var/lib/slurm/gpu/gpu";

  public SlurmSetup {
    files = Map.copyOf(files);
    lines = List.copyOf(lines);
    agentConfig = List.copyOf(agentConfig);
  }

  /** Slurm alone, with Rollcall told nothing of it. */
  public static SlurmSetup alone() {
    return new SlurmSetup(List.of(), List.of(), Map.of(), /* configless= */ false);
  }

  /**
   * How long the PAM module waits in a cluster with Slurm: five nodes, four JVMs and Slurm's
   * daemons share one machine here, and a step daemon has a part in each adoption.
   */
  public static final String PATIENCE = "timeout_ms=2000";

  /** Slurm with the hooks of a distribution, and agents that take their jobs from it. */
  public static SlurmSetup of(Path distribution) {
    Path hooks = distribution.resolve("lib/slurm");
    return new SlurmSetup(
        List.of("Prolog=" + hooks.resolve("prolog"), "Epilog=" + hooks.resolve("epilog")),
        List.of("provider: slurm"),
        Map.of(),
        /* configless= */ false);
  }

  /** The same, with private directories of jobs. */
  public SlurmSetup withContainers(ContainerPlugin plugin) {
    return with(plugin.line(), Map.of(plugin.file(), plugin.text()), configless);
  }

  /** Whether jobs have private directories. */
  boolean containers() {
    return !files.isEmpty();
  }

  /** The same, on compute nodes that have no files of Slurm's. */
  public SlurmSetup withoutFiles() {
    return with("SlurmctldParameters=enable_configless", files, true);
  }

  private SlurmSetup with(String line, Map<String, String> itsFiles, boolean ask) {
    var all = new ArrayList<>(lines);
    all.add(line);
    return new SlurmSetup(all, agentConfig, itsFiles, ask);
  }
}
