package dev.rollcall.port;

import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Leftover;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.UsageRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The jobs on this node. {@link #list} and {@link #guessed} do no input or output and may be called
 * anywhere, and so may {@link #membershipOf(CgroupIds)} for the cgroups of jobs; the others touch
 * the kernel or the journal and may take milliseconds (an end, seconds): never on an event loop.
 * All are thread-safe.
 */
public interface Jobs {
  /**
   * The facts that a batch system gives when a job starts.
   *
   * @param container the name of the container that was chosen; empty: the node's standard one
   */
  record JobSpec(
      JobId id,
      int uid,
      int gid,
      Instant startedAt,
      Allocation allocation,
      Optional<String> container) {
    /** In the standard container. */
    public JobSpec(JobId id, int uid, int gid, Instant startedAt, Allocation allocation) {
      this(id, uid, gid, startedAt, allocation, Optional.empty());
    }

    /** Without limits of its own. */
    public JobSpec(JobId id, int uid, int gid, Instant startedAt) {
      this(id, uid, gid, startedAt, Allocation.NONE);
    }

    /** The job in this state, with the label that its variables give. */
    public Job job(JobState state) {
      return new Job(id, uid, gid, startedAt, state, JobLabel.of(allocation.environment()));
    }
  }

  /**
   * How a job is to end.
   *
   * @param message shown on the terminals of its sessions; empty: none
   * @param grace from SIGTERM to the kill; zero: killed at once
   * @param within how long to wait, grace included, for the node to be clean before answering
   */
  record EndOrder(String message, Duration grace, Duration within) {
    /** At once and in silence. */
    public static EndOrder now(Duration wait) {
      return new EndOrder("", Duration.ZERO, wait);
    }
  }

  sealed interface BeginResult {
    /**
     * The job is open and its extern step is there, newly or since before. An own job has the
     * limits and devices that were named.
     */
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

  /**
   * An end that a timer carries on, so that no thread waits for processes that take their time.
   * Used by one thread at a time.
   */
  interface EndInSteps {
    /** Does what can be done now, in about a second; the result, once there is one. */
    Optional<EndResult> step();

    /** How long to wait before the next step. */
    Duration pause();
  }

  sealed interface StepResult {
    /**
     * @param procsFiles where the process that becomes the step writes its pid, one for each
     *     hierarchy in use
     * @param setup of the job, for the process that becomes the step
     * @param container which that process enters
     */
    record Made(JobStep step, List<Path> procsFiles, SessionSetup setup, StepContainer container)
        implements StepResult {}

    record Refused(String reason) implements StepResult {}
  }

  sealed interface StateResult {
    /**
     * The job is in the state that was asked for, now or since before.
     *
     * @param waiting for people: processes of a suspended job that stop only when they leave the
     *     kernel; empty if all have stopped
     */
    record Reached(Job job, String waiting) implements StateResult {
      public Reached(Job job) {
        this(job, "");
      }
    }

    /**
     * @param reason for people: the state the job is in, or what the kernel said
     */
    record Refused(String reason) implements StateResult {}

    record NoSuchJob() implements StateResult {}
  }

  sealed interface LimitResult {
    /**
     * @param now every limit that the job or step has of its own; devices are not among them
     */
    record Changed(Limits now) implements LimitResult {}

    /**
     * Nothing was changed.
     *
     * @param reason for people: the file, the value, and what the kernel said
     */
    record Refused(String reason) implements LimitResult {}

    /** There is no such job or step. */
    record NotHere() implements LimitResult {}
  }

  sealed interface AdoptResult {
    /**
     * The process is in the job: its membership was read back.
     *
     * @param hierarchy "" for v2, else the v1 controller whose line of {@code /proc/PID/cgroup}
     *     shows it
     * @param cgroup the path in that line
     */
    record Adopted(JobStep step, String hierarchy, String cgroup, SessionSetup setup)
        implements AdoptResult {
      /** Of a job that hands nothing over. */
      public Adopted(JobStep step, String hierarchy, String cgroup) {
        this(step, hierarchy, cgroup, SessionSetup.NONE);
      }
    }

    /** The job is not open: ending, suspended or gone. */
    record NotOpen(String reason) implements AdoptResult {
      /** Of a user who has no job of this number: there is none, or it is another user's. */
      public static NotOpen noJobOf(int uid, JobId id) {
        return new NotOpen(
            "uid " + Integer.toUnsignedString(uid) + " has no job " + id + " on this node");
      }
    }

    /**
     * The process is in another job, and may not leave it.
     *
     * @param reason for people, naming the process and that job
     */
    record Kept(String reason) implements AdoptResult {}

    /** The kernel refused, or the process ended. */
    record Failed(String reason) implements AdoptResult {}
  }

  /** From where a process may be moved into a job. */
  enum From {
    /** From outside of all jobs alone. */
    NO_JOB,
    /** From another open job too. */
    OPEN_JOB
  }

  /**
   * Told after each change, on the thread that made it, under the job's lock. Must not block: the
   * one exception waits up to a second for logins as a job becomes SUSPENDED or CLOSING, and what
   * is in the job is stopped or killed only after that.
   */
  interface Listener {
    void changed(Job job);

    /** A session, step or job has ended, or a session was closed that left processes behind. */
    default void recorded(UsageRecord record) {}

    default void incident(Incident incident) {}

    /**
     * A step of the job has begun or ended, or its last process has ended, so perhaps the job ends.
     * Its use can be read now, and not after its end. Only without {@link #accounts}; under no lock
     * of a job, on the thread that finds jobs: for what takes less than a millisecond.
     */
    default void mayEnd(Job job) {}

    /** It has changed whether, or why, it is not known which jobs are here. */
    default void knownOrNot() {}
  }

  /** Whether listeners get accounts of what has ended, and incidents of limits. */
  default boolean accounts() {
    return true;
  }

  BeginResult begin(JobSpec spec);

  /**
   * The jobs whose group and start are guesses, since nobody told them who knows. None where the
   * agent owns the jobs.
   */
  default Set<JobId> guessed() {
    return Set.of();
  }

  /**
   * As {@link #begin}, for a job that is {@link #guessed} at this moment. Any other is refused, so
   * that what comes late neither brings back a job that has ended nor takes the place of what its
   * prolog told.
   */
  default BeginResult confirm(JobSpec spec) {
    return new BeginResult.Refused("job " + spec.id() + " has no guessed facts here");
  }

  /** Ends what is left of the job and removes its cgroups. Nothing enters it from the first. */
  EndResult end(JobId id, EndOrder order);

  /** The same in steps. Nothing enters the job from now on; its processes learn of it in a step. */
  default EndInSteps endInSteps(JobId id, EndOrder order) {
    return new EndInSteps() {
      @Override
      public Optional<EndResult> step() {
        return Optional.of(end(id, order));
      }

      @Override
      public Duration pause() {
        return Duration.ZERO;
      }
    };
  }

  /** Kills what is left of the job at once and removes its cgroups. */
  default EndResult end(JobId id, Duration wait) {
    return end(id, EndOrder.now(wait));
  }

  /** Stops every process of an open job; until it is resumed nothing enters it. */
  StateResult suspend(JobId id);

  /** Lets a suspended job go on. */
  StateResult resume(JobId id);

  /**
   * Makes a step.
   *
   * @param step absent: the next free number
   */
  StepResult beginStep(JobId id, Optional<StepId> step, Limits limits, DeviceRules devices);

  /** Makes a step that only its job's limits and devices hold. */
  default StepResult beginStep(JobId id, Optional<StepId> step) {
    return beginStep(id, step, Limits.NONE, DeviceRules.OPEN);
  }

  /**
   * Changes limits of a job or of one of its steps while it runs; all that are named, or none.
   *
   * @param step absent: the job's own
   */
  LimitResult limit(JobId id, Optional<StepId> step, Limits changed);

  /** Every job that is not CLOSED, oldest first. */
  List<Job> list();

  /** The reason why it is not known which jobs are here, for people; empty if it is known. */
  default Optional<String> unknownBecause() {
    return Optional.empty();
  }

  /**
   * Moves a process into the job's extern step, in a leaf of its own, under the job's lock, and
   * reads its membership back. A process that is in the job already stays where it is. One that is
   * in another job leaves it only while that is open, which holds until the move is done: what is
   * in a job as it is suspended or ends stays in it.
   *
   * @param uid the user whose job this is: a later job of another user may have the same number,
   *     and is NotOpen
   */
  AdoptResult adopt(PinnedProcess process, JobId into, int uid, From from);

  /** Moves a process into the job, from outside of all jobs or from another open job. */
  default AdoptResult adopt(PinnedProcess process, JobId into, int uid) {
    return adopt(process, into, uid, From.OPEN_JOB);
  }

  /**
   * Puts other rules about devices in the place of those that a job or one of its steps has, with
   * no moment without either. A file that is open stays open.
   *
   * @param step absent: the job's own
   */
  LimitResult devices(JobId id, Optional<StepId> step, DeviceRules rules);

  /** A session whose PAM session is being closed. */
  @FunctionalInterface
  interface ClosingSession {
    /**
     * Takes its account. What it left behind stays in the job, or is killed where it is so
     * configured. May take a second, and may come after the end of the process that leads it.
     *
     * @return empty if the account cannot be read
     */
    Optional<UsageRecord> close();
  }

  /**
   * The session that this process leads; empty if the process is in no session of a job here, or
   * has ended. Takes microseconds.
   */
  Optional<ClosingSession> closing(PinnedProcess process);

  /**
   * What the job, its steps and its sessions used so far, in this order; empty for a job that is
   * not here. Sessions that ended long ago may be missing.
   */
  List<UsageRecord> usage(JobId id);

  /**
   * Measures a job, and its steps and sessions as deep as is wanted, by reading their cgroups.
   * Waits for no lock of a job. What is gone is left out, and so are jobs that are not here.
   */
  default void measure(Job job, MeasureDepth depth, Consumer<Measured> each) {}

  /**
   * The variables of a job as the batch system reported them, or else as its batch script has them,
   * which its user can change. Takes no lock.
   */
  default Map<String, String> variables(JobId id) {
    return Map.of();
  }

  /** The devices that an own job may use. Takes no lock. */
  default DeviceRules deviceRules(JobId id) {
    return DeviceRules.OPEN;
  }

  /**
   * Opens the namespaces that a session of the job is to join.
   *
   * @throws IOException naming the namespace that cannot be opened; none is left open then
   */
  default JobNamespaces namespaces(JobId id) throws IOException {
    return JobNamespaces.NONE;
  }

  /**
   * Where sessions of the job are put. Takes no lock, so that a {@link Listener} may ask. Empty
   * where only {@link #adopt} can put them there, and for a job that is not here. Empty as well if
   * the job's container cannot be read: then {@link #namespaces} says why.
   */
  default Optional<SessionPlace> sessionPlace(JobId id) {
    return Optional.empty();
  }

  /**
   * Hears of a session that went into a job by itself, so that it is accounted for and looked after
   * as one that {@link #adopt} put there. May block, for a scheduler's own daemon too.
   *
   * @return the step that it is in; empty if the job is not here or the cgroup is none of its
   *     sessions'
   */
  default Optional<JobStep> joined(JoinedSession session) {
    return Optional.empty();
  }

  /**
   * The job's processes as the kernel lists them now, the first 16,384 of more; empty for a job
   * that is not here.
   */
  List<JobProcess> processes(JobId id);

  /**
   * What is left of a job on this node; empty if nothing is. A job that has not ended is left
   * itself. Also asked for jobs that the node does not know any more, and for those it never knew.
   *
   * @throws IOException if that cannot be found out
   */
  default List<Leftover> leftovers(JobId id) throws IOException {
    return Stream.concat(
            list().stream().filter(job -> job.id().equals(id)).map(Leftover::of),
            processes(id).stream().map(Leftover::of))
        .toList();
  }

  /**
   * The job of a task by its cgroups. A cgroup that only looks like a job's is none. Microseconds
   * for a cgroup that was made for a job, and for one that was asked for before; an id that is not
   * known may cost one bounded walk through the jobs' directories, milliseconds. Empty while such
   * walks come too often: then it is not known.
   */
  Optional<Membership> membershipOf(CgroupIds cgroups);

  /** The job of a process by {@code /proc/PID/cgroup}; empty if the process has ended. */
  Optional<Membership> membershipOf(ProcessRef process);

  void listen(Listener listener);
}
