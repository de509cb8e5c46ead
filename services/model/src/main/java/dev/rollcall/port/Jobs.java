package dev.rollcall.port;

import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The jobs on this node. {@link #list} does no input or output and may be called anywhere, and so
 * may {@link #membershipOf(CgroupIds)} for the cgroups of jobs; the others touch the kernel or the
 * journal and may take milliseconds (an end, seconds): never on an event loop. All are thread-safe.
 */
public interface Jobs {
  /** What a batch system says when a job starts. */
  record JobSpec(JobId id, int uid, int gid, Instant startedAt) {}

  sealed interface BeginResult {
    /** The job is open and its extern step is there, newly or since before. */
    record Begun(Job job) implements BeginResult {}

    /**
     * @param reason for people, naming the thing and the value
     */
    record Refused(String reason) implements BeginResult {}
  }

  sealed interface EndResult {
    /**
     * @param killed processes that the end of the job killed
     */
    record Clean(int killed) implements EndResult {}

    /** Processes outlived the wait; the job stays CLOSING and is tried again until it is clean. */
    record Unclean(int killed, List<JobProcess> remaining, String reason) implements EndResult {}

    record NoSuchJob() implements EndResult {}
  }

  sealed interface StepResult {
    /**
     * @param procsFiles where the process that becomes the step writes its pid, one for each
     *     hierarchy in use
     */
    record Made(JobStep step, List<Path> procsFiles) implements StepResult {}

    record Refused(String reason) implements StepResult {}
  }

  sealed interface AdoptResult {
    /**
     * The process is in the job: its membership was read back.
     *
     * @param hierarchy "" for v2, else the v1 controller whose line of {@code /proc/PID/cgroup}
     *     shows it
     * @param cgroup the path in that line
     */
    record Adopted(JobStep step, String hierarchy, String cgroup) implements AdoptResult {}

    /** The job is not open: ending, suspended or gone. */
    record NotOpen(String reason) implements AdoptResult {}

    /** The kernel refused, or the process ended. */
    record Failed(String reason) implements AdoptResult {}
  }

  /** Told after each change, on the thread that made it. Must not block. */
  interface Listener {
    void changed(Job job);
  }

  BeginResult begin(JobSpec spec);

  /**
   * Kills what is left of the job and removes its cgroups.
   *
   * @param wait how long to wait for the node to be clean before answering
   */
  EndResult end(JobId id, Duration wait);

  /**
   * Makes a step.
   *
   * @param step absent: the next free number
   */
  StepResult beginStep(JobId id, Optional<StepId> step);

  /** Every job that is not CLOSED, oldest first. */
  List<Job> list();

  /**
   * Moves a process into the job's extern step, in a leaf of its own, under the job's lock, and
   * reads its membership back. A process that is in the job already stays where it is.
   */
  AdoptResult adopt(PinnedProcess process, JobId into);

  /** The job's processes as the kernel lists them now; empty for a job that is not here. */
  List<JobProcess> processes(JobId id);

  /**
   * The job of a task by its cgroups. A cgroup that only looks like a job's is none. Microseconds
   * for a cgroup that was made for a job, and for one that was asked for before; an id that is not
   * known may cost one bounded walk through the jobs' directories, milliseconds, and while such
   * walks come too often it is answered as no job's.
   */
  Membership membershipOf(CgroupIds cgroups);

  /** The job of a process by {@code /proc/PID/cgroup}; empty if the process has ended. */
  Optional<Membership> membershipOf(ProcessRef process);

  void listen(Listener listener);
}
