package dev.rollcall.jobs.slurm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.jobs.tree.Census;
import dev.rollcall.jobs.tree.Procfs;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the environment that Slurm gave the tasks of a job, from a task of the owner. The extern
 * step's own process is no such task: it has the environment of slurmd.
 */
record SlurmEnvironment(Procfs procfs, SlurmCgroups cgroups) {
  private static final Pattern OF_A_TASK =
      Pattern.compile(
          "SLURM_(PROCID|LOCALID|NODEID|GTIDS|TASK_PID|STEPID|STEP_.*|SRUN_.*|LAUNCH_NODE_.*|UMASK"
              + "|PRIO_PROCESS|CPU_BIND.*|MEM_BIND.*|DISTRIBUTION|TOPOLOGY_.*|CONF)|SLURMD_DEBUG");

  private static final Pattern OF_A_JOB =
      Pattern.compile(
          "SLURMD?_[A-Z0-9_]{1,100}|[A-Z0-9]{1,100}_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL"
              + "|ZE_AFFINITY_MASK|TMPDIR");

  private static final int LONGEST_VALUE = 1_024;
  private static final int MOST_BYTES = 1 << 20;

  /** Empty as long as no task of the job runs here. */
  Optional<Map<String, String>> of(Job job) {
    Map<String, Integer> tasks = new TreeMap<>();
    try {
      cgroups.processes(
          job.id(),
          Census.MOST,
          (pid, step) -> {
            if (!step.equals(StepId.EXTERN)) {
              tasks.putIfAbsent(step.text().equals("batch") ? "" : step.text(), pid);
            }
          });
    } catch (IOException e) {
      return Optional.empty();
    }
    return tasks.values().stream()
        .filter(pid -> procfs.isOf(job.uid(), pid))
        .flatMap(pid -> read(pid, job.id()).stream())
        .findFirst();
  }

  private Optional<Map<String, String>> read(int pid, JobId job) {
    try (var file =
        Files.newInputStream(
            procfs.proc().root().resolve(Integer.toString(pid)).resolve("environ"))) {
      String text = new String(file.readNBytes(MOST_BYTES), UTF_8);
      SequencedMap<String, String> found = new LinkedHashMap<>();
      for (String variable : text.split("\0", -1)) {
        int equals = variable.indexOf('=');
        if (equals > 0 && ofJob(variable.substring(0, equals), variable.substring(equals + 1))) {
          found.put(variable.substring(0, equals), variable.substring(equals + 1));
        }
      }
      // A task may have written over its environment: then it is not believed at all.
      return job.toString().equals(found.get("SLURM_JOB_ID"))
          ? Optional.of(found)
          : Optional.empty();
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  /** Whether a batch system sets the variable, so that a task of the job has its right value. */
  static boolean isBatchSystems(String name) {
    return OF_A_JOB.matcher(name).matches();
  }

  /**
   * Selects those of the variables that a prolog reported which a session of the job needs.
   *
   * @param tasks whether the variables of a task are known: those that Slurm sets are not needed
   */
  static Map<String, String> ofProlog(Map<String, String> kept, boolean tasks) {
    SequencedMap<String, String> found = new LinkedHashMap<>(kept);
    found
        .keySet()
        .removeIf(name -> OF_A_TASK.matcher(name).matches() || (tasks && isBatchSystems(name)));
    return found;
  }

  private static boolean ofJob(String name, String value) {
    return isBatchSystems(name)
        && !OF_A_TASK.matcher(name).matches()
        && value.length() <= LONGEST_VALUE
        && value.chars().allMatch(each -> each >= ' ' && each != 0x7f);
  }
}
