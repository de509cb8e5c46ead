package dev.rollcall.lab.slurm;

import java.nio.file.Path;
import java.util.List;

/**
 * What Slurm is raised with.
 *
 * @param hooks lines of slurm.conf(5) that name programs, such as Prolog
 * @param agentConfig what Rollcall's agents must be told: lines of their configuration
 */
public record SlurmSetup(List<String> hooks, List<String> agentConfig) {
  public SlurmSetup {
    hooks = List.copyOf(hooks);
    agentConfig = List.copyOf(agentConfig);
  }

  /** Slurm alone, with Rollcall told nothing of it. */
  public static SlurmSetup alone() {
    return new SlurmSetup(List.of(), List.of());
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
        List.of("provider: slurm"));
  }
}
