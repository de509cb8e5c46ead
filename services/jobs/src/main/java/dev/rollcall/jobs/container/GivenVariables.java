package dev.rollcall.jobs.container;

import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.Limits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The variables of Slurm's scripts around a container that depend on the job's request: the batch
 * system gave them to {@code job begin}, or they follow from the job's limits.
 */
public final class GivenVariables {
  private static final String CPUS = "SLURM_JOB_CPUS";
  private static final String MEMORY = "SLURM_JOB_MEM";
  private static final int MEBIBYTE_BITS = 20;

  /** Those of namespace_linux.c and namespace_tmpfs.c of Slurm 26.05 that are not the agent's. */
  private static final List<String> NAMES =
      List.of(
          "SLURM_CONF",
          "SLURM_HET_JOB_ID",
          CPUS,
          "SLURM_JOB_GRES",
          MEMORY,
          "SLURM_JOB_NUM_NODES",
          "SLURM_JOB_SLUID",
          "SLURM_JOB_WORK_DIR",
          "SLURM_NODE_ALIASES");

  private GivenVariables() {}

  /** Chooses them, and adds the number of CPUs and the memory in MiB where limits set these. */
  public static Map<String, String> of(Allocation allocation) {
    Map<String, String> chosen = new TreeMap<>();
    Limits limits = allocation.limits();
    limits
        .cpus()
        .ifPresent(cpus -> chosen.put(CPUS, Integer.toString(cpus.numbers().cardinality())));
    if (limits.memoryMax().orElse(Limits.UNLIMITED) != Limits.UNLIMITED) {
      chosen.put(MEMORY, Long.toString(limits.memoryMax().getAsLong() >> MEBIBYTE_BITS));
    }
    for (String name : NAMES) {
      Optional.ofNullable(allocation.environment().get(name))
          .ifPresent(value -> chosen.put(name, value));
    }
    return chosen;
  }
}
