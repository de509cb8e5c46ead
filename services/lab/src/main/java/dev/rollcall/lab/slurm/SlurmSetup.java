package dev.rollcall.lab.slurm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The settings of a test cluster's Slurm.
 *
 * @param hooks lines of slurm.conf(5) that name programs, such as Prolog
 * @param agentConfig what Rollcall's agents must be told: lines of their configuration
 * @param files others beside slurm.conf, by their names
 */
public record SlurmSetup(List<String> hooks, List<String> agentConfig, Map<String, String> files) {
  public SlurmSetup {
    files = Map.copyOf(files);
    hooks = List.copyOf(hooks);
    agentConfig = List.copyOf(agentConfig);
  }

  /** Slurm alone, with Rollcall told nothing of it. */
  public static SlurmSetup alone() {
    return new SlurmSetup(List.of(), List.of(), Map.of());
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
        Map.of());
  }

  /** The same with job_container/tmpfs: each job has its own /tmp and /dev/shm. */
  public SlurmSetup withContainers() {
    var lines = new ArrayList<>(hooks);
    lines.add("JobContainerType=job_container/tmpfs");
    return new SlurmSetup(
        lines,
        agentConfig,
        Map.of("job_container.conf", "AutoBasePath=true\nBasePath=/var/lib/slurm/containers\n"));
  }
}
