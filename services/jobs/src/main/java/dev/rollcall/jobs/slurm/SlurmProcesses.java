package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Census;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The processes in the cgroups of Slurm's jobs, by step: at most {@link Census#MOST} of a job. */
record SlurmProcesses(SlurmCgroups cgroups, Proc procfs) {
  private static final System.Logger LOG = System.getLogger(SlurmProcesses.class.getName());

  List<JobProcess> of(JobId id) {
    List<JobProcess> found = new ArrayList<>();
    try {
      cgroups.processes(
          id,
          Census.MOST,
          (pid, step) ->
              procfs
                  .ref(pid)
                  .map(it -> new JobProcess(it, step, procfs.command(pid)))
                  .ifPresent(found::add));
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read the processes of job {0}: {1}", id, e.getMessage());
    }
    return List.copyOf(found);
  }

  /** Whether a job has a process. Reads one pid: a job may have a million. */
  boolean any(JobId id) {
    var any = new AtomicBoolean();
    try {
      cgroups.processes(id, 1, (_, _) -> any.set(true));
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read the processes of job {0}: {1}", id, e.getMessage());
    }
    return any.get();
  }
}
