package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.program.SiteProgram;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Runs the site's program for jobs whose processes outlive SIGKILL, once for each job. */
final class UnkillableJobs {
  private static final System.Logger LOG = System.getLogger(UnkillableJobs.class.getName());

  /** As long as Slurm gives its UnkillableStepProgram. */
  private static final Duration MOST = Duration.ofMinutes(5);

  private static final int MOST_PIDS = 1_024;

  private final Optional<UnkillableProgram> program;
  private final Function<JobId, List<JobProcess>> processes;
  private final Set<JobId> handled = ConcurrentHashMap.newKeySet();

  /**
   * @param processes what is left of a job
   */
  UnkillableJobs(Optional<UnkillableProgram> program, Function<JobId, List<JobProcess>> processes) {
    this.program = program;
    this.processes = processes;
  }

  /**
   * Looks at a job that is CLOSING, and starts the program on a thread of its own if it is due.
   *
   * @return the thread
   */
  Optional<Thread> look(NativeJob job) {
    return program
        .filter(it -> job.grace().overdue().compareTo(it.after()) >= 0 && handled.add(job.id()))
        .map(it -> Ending.thread(job, () -> run(it, job)));
  }

  /** Forgets a job that has ended: its number may come again. */
  void forget(JobId job) {
    handled.remove(job);
  }

  private void run(UnkillableProgram it, NativeJob job) {
    List<JobProcess> left = processes.apply(job.id());
    LOG.log(
        WARNING,
        "job {0}: {1} processes outlived SIGKILL by {2} s, {3} runs",
        job.id(),
        left.size(),
        job.grace().overdue().toSeconds(),
        it.path());
    try {
      String said = SiteProgram.run(it.path(), variables(job, left), MOST);
      if (!said.isEmpty()) {
        LOG.log(WARNING, "{0} for job {1}: {2}", it.path(), job.id(), said);
      }
    } catch (IOException e) {
      LOG.log(WARNING, "job {0}: {1}", job.id(), e.getMessage());
    }
  }

  private static Map<String, String> variables(NativeJob job, List<JobProcess> left) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("SLURM_JOB_ID", job.id().toString());
    variables.put("SLURM_JOB_UID", Integer.toUnsignedString(job.job().uid()));
    variables.put(
        "ROLLCALL_PIDS",
        left.stream()
            .limit(MOST_PIDS)
            .map(each -> Integer.toString(each.process().pid()))
            .collect(Collectors.joining(" ")));
    return variables;
  }
}
