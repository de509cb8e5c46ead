package dev.rollcall.jobs.tree;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists the processes of a job, by {@code cgroup.procs} of all its directories. */
public record Census(JobTree tree, Proc procfs) {
  /** Processes of a job; users create them. Each takes some 100 bytes of heap. */
  public static final int MOST = 16_384;

  private static final System.Logger LOG = System.getLogger(Census.class.getName());

  /**
   * At most {@link #MOST}, the first ones in the kernel's order. A process that ends while it is
   * looked at is left out.
   */
  public List<JobProcess> of(JobId job) {
    List<JobProcess> found = new ArrayList<>();
    Hierarchy identity = tree.identity();
    try {
      identity
          .job(job)
          .any(directory -> {
            Optional<JobStep> step = tree.path().jobStepOf(identity.pathOf(directory));
            for (int pid : directory.pids(MOST - found.size())) {
              step.flatMap(in -> process(pid, in)).ifPresent(found::add);
            }
            return found.size() >= MOST;
          });
    } catch (IOException e) {
      LOG.log(WARNING, "cannot read the processes of job {0}: {1}", job, e.getMessage());
    }
    return List.copyOf(found);
  }

  private Optional<JobProcess> process(int pid, JobStep in) {
    return procfs.ref(pid).map(it -> new JobProcess(it, in.step(), procfs.command(pid)));
  }
}
