package dev.rollcall.jobs.slurm;

import dev.rollcall.jobs.tree.Census;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
record SlurmEnvironment(Proc procfs, SlurmCgroups cgroups) {
  private static final Pattern OF_A_TASK =
      Pattern.compile(
          "SLURM_(PROCID|LOCALID|NODEID|GTIDS|TASK_PID|STEPID|STEP_.*|SRUN_.*|LAUNCH_NODE_.*|UMASK"
              + "|PRIO_PROCESS|CPU_BIND.*|MEM_BIND.*|DISTRIBUTION|TOPOLOGY_.*|CONF)|SLURMD_DEBUG");

  private static final Pattern OF_A_JOB =
      Pattern.compile(
          "SLURMD?_[A-Z0-9_]{1,100}|[A-Z0-9]{1,100}_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL"
              + "|ZE_AFFINITY_MASK|TMPDIR");

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
    Path environ = procfs.root().resolve(Integer.toString(pid)).resolve("environ");
    try (var file = new BufferedInputStream(Files.newInputStream(environ))) {
      return TaskVariables.read(file, job);
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

  /** Whether a batch system sets the variable, and not for one task or step. */
  static boolean isOfJob(String name) {
    return isBatchSystems(name) && !OF_A_TASK.matcher(name).matches();
  }
}
