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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the environment of a job's batch script. That of a task that srun started describes its
 * step also under the names of the job's: {@code SLURM_JOB_NODELIST} has the nodes of the step, and
 * {@code CUDA_VISIBLE_DEVICES} the devices of one task (seen with Slurm 22.05).
 */
record SlurmEnvironment(Proc procfs, SlurmCgroups cgroups) {
  /** The step of the batch script, on the first node of the job. */
  static final StepId BATCH = new StepId("batch");

  private static final Pattern NAME =
      Pattern.compile(
          "SLURMD?_[A-Z0-9_]{1,100}|[A-Z0-9]{1,100}_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL"
              + "|ZE_AFFINITY_MASK|TMPDIR");

  /** Empty as long as no batch script of the job runs here. */
  Optional<Map<String, String>> of(Job job) {
    List<Integer> script = new ArrayList<>();
    try {
      cgroups.processes(
          job.id(),
          Census.MOST,
          (pid, step) -> {
            if (step.equals(BATCH)) {
              script.add(pid);
            }
          });
    } catch (IOException e) {
      return Optional.empty();
    }
    return script.stream()
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

  /** Whether a batch system sets the variable. */
  static boolean isBatchSystems(String name) {
    return NAME.matcher(name).matches();
  }
}
