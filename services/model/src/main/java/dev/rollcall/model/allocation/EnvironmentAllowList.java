package dev.rollcall.model.allocation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The variables of a job that its sessions and steps get. Whatever the patterns say, variables that
 * say who the user is, where programs are found, or what a loader or an interpreter does before its
 * program begins (ld.so(8), bash(1)) are never among them: sshd's own children begin with them.
 *
 * @param patterns names, or beginnings of names that end in {@code *}; what is named first goes
 *     first
 */
public record EnvironmentAllowList(List<String> patterns) {
  /** A variable with the names of others, between blanks, whose values no session can get. */
  public static final String LEFT_OUT = "ROLLCALL_LEFT_OUT";

  private static final Pattern PATTERN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,126}\\*?");
  private static final int SHORTEST_BEGINNING = 3;

  private static final Set<String> NEVER =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "SHELL",
          "MAIL",
          "TERM",
          "IFS",
          "ENV",
          "PS4",
          "SHELLOPTS",
          "BASHOPTS",
          "CDPATH",
          "PROMPT_COMMAND",
          "NODE_OPTIONS",
          "JAVA_TOOL_OPTIONS",
          "GCONV_PATH",
          "GETCONF_DIR",
          "GLIBC_TUNABLES",
          "HOSTALIASES",
          "LOCALDOMAIN",
          "LOCPATH",
          "NIS_PATH",
          "NLSPATH",
          "RESOLV_HOST_CONF",
          "RES_OPTIONS",
          "TZDIR");

  private static final List<String> NEVER_BEGINNING =
      List.of(
          "LD_",
          "BASH_",
          "MALLOC_",
          "PERL",
          "PYTHON",
          "RUBY",
          "SSH_",
          "KRB5",
          "DBUS_",
          "XDG_",
          "ROLLCALL_");

  /**
   * Names that describe a job and its devices on a node. Slurm sets more of them for a step or a
   * task, and sbatch and srun read most of these as options: sbatch(1), srun(1). With {@code
   * SLURM_JOBID} OpenMPI takes each session for a task, and {@code SLURM_HET_SIZE} lets srun fail
   * (22.05).
   */
  public static final EnvironmentAllowList DEFAULTS =
      new EnvironmentAllowList(
          List.of(
              "CUDA_VISIBLE_DEVICES",
              "ROCR_VISIBLE_DEVICES",
              "ZE_AFFINITY_MASK",
              "GPU_DEVICE_ORDINAL",
              "HIP_VISIBLE_DEVICES",
              "TMPDIR",
              "SLURMD_NODENAME",
              "SLURM_CLUSTER_NAME",
              "SLURM_NODELIST",
              "SLURM_SUBMIT_DIR",
              "SLURM_SUBMIT_HOST",
              "SLURM_ARRAY_*",
              "SLURM_HET_JOB_ID",
              "SLURM_JOB_ID_HET_GROUP_*",
              "SLURM_JOB_NODELIST_HET_GROUP_*",
              "SLURM_JOB_ACCOUNT",
              "SLURM_JOB_CONSTRAINTS",
              "SLURM_JOB_CPUS_PER_NODE",
              "SLURM_JOB_END_TIME",
              "SLURM_JOB_GID",
              "SLURM_JOB_GPUS",
              "SLURM_JOB_LICENSES",
              "SLURM_JOB_NODELIST",
              "SLURM_JOB_PARTITION",
              "SLURM_JOB_QOS",
              "SLURM_JOB_RESERVATION",
              "SLURM_JOB_RESTART_COUNT",
              "SLURM_JOB_SLUID",
              "SLURM_JOB_START_TIME",
              "SLURM_JOB_UID",
              "SLURM_JOB_USER",
              "SLURM_JOB_WORK_DIR"));

  /**
   * @throws IllegalArgumentException naming the pattern
   */
  public EnvironmentAllowList {
    patterns = List.copyOf(patterns);
    patterns.forEach(EnvironmentAllowList::check);
  }

  private static void check(String pattern) {
    if (!PATTERN.matcher(pattern).matches()) {
      throw new IllegalArgumentException(
          "'" + pattern + "' is neither a variable's name nor the beginning of one and *");
    }
    if (pattern.endsWith("*") && pattern.length() <= SHORTEST_BEGINNING) {
      throw new IllegalArgumentException("'" + pattern + "' would let through too much");
    }
    if (!permits(pattern.replace("*", ""))) {
      throw new IllegalArgumentException("'" + pattern + "' is never taken from a job");
    }
  }

  /** Whether a variable of this name may come from a job at all. */
  public static boolean permits(String name) {
    return !NEVER.contains(name) && NEVER_BEGINNING.stream().noneMatch(name::startsWith);
  }

  /**
   * What is let through, in the order of the patterns, then by name. {@link #LEFT_OUT} is last,
   * with the names that would have been let through.
   */
  public SequencedMap<String, String> of(Map<String, String> environment) {
    var sorted = new TreeMap<>(environment);
    var passed = new LinkedHashMap<String, String>();
    for (String pattern : patterns) {
      sorted.forEach((name, value) -> {
        if (matches(pattern, name) && permits(name)) {
          passed.putIfAbsent(name, value);
        }
      });
    }
    String lacking =
        Stream.of(environment.getOrDefault(LEFT_OUT, "").split(" ", -1))
            .filter(name -> !passed.containsKey(name) && permits(name))
            .filter(name -> patterns.stream().anyMatch(pattern -> matches(pattern, name)))
            .collect(Collectors.joining(" "));
    if (!lacking.isEmpty()) {
      passed.put(LEFT_OUT, lacking);
    }
    return passed;
  }

  private static boolean matches(String pattern, String name) {
    return pattern.endsWith("*")
        ? name.startsWith(pattern.substring(0, pattern.length() - 1))
        : name.equals(pattern);
  }
}
