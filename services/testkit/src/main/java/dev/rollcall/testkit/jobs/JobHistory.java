package dev.rollcall.testkit.jobs;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.StateResult;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.testkit.history.Subject;
import dev.rollcall.testkit.jobs.JobAnswer.Done;
import dev.rollcall.testkit.jobs.JobAnswer.Lives;
import dev.rollcall.testkit.jobs.JobAnswer.Other;
import dev.rollcall.testkit.jobs.JobAnswer.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One job of a provider, which several threads begin, adopt into, suspend, resume and end at once.
 * {@link Jobs#processes} and {@link Jobs#usage} are not among what they do: these are listings that
 * change as the kernel is read. Whether a process lives is asked of the process.
 */
final class JobHistory implements Subject<JobDeed, JobAnswer> {
  /** An end that waits longer is one that does not come about. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final int OWNER = 1001;

  private final Jobs jobs;
  private final JobId job;
  private final Supplier<PinnedProcess> start;
  private final Consumer<PinnedProcess> finish;
  private final List<PinnedProcess> processes = new ArrayList<>();

  /**
   * @param job one that was never begun
   * @param start a process that runs until it is killed
   * @param finish ends it, if no job did
   */
  JobHistory(Jobs jobs, JobId job, Supplier<PinnedProcess> start, Consumer<PinnedProcess> finish) {
    this.jobs = jobs;
    this.job = job;
    this.start = start;
    this.finish = finish;
  }

  @Override
  public JobDeed next(Random random, int thread) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> new JobDeed.Begin();
      case 2, 3 -> {
        processes.add(start.get());
        yield new JobDeed.Adopt(processes.size() - 1);
      }
      case 4 -> new JobDeed.End();
      case 5 -> new JobDeed.Suspend();
      case 6 -> new JobDeed.Resume();
      case 7, 8 -> new JobDeed.Look();
      default ->
          processes.isEmpty()
              ? new JobDeed.Begin()
              : new JobDeed.Pulse(random.nextInt(processes.size()));
    };
  }

  @Override
  public JobAnswer perform(JobDeed deed) {
    return switch (deed) {
      case JobDeed.Begin _ -> answer(jobs.begin(new JobSpec(job, OWNER, OWNER, Instant.EPOCH)));
      case JobDeed.Adopt(int process) -> answer(jobs.adopt(processes.get(process), job, OWNER));
      case JobDeed.End _ -> answer(jobs.end(job, LONG));
      case JobDeed.Suspend _ -> answer(jobs.suspend(job));
      case JobDeed.Resume _ -> answer(jobs.resume(job));
      case JobDeed.Look _ -> new Done(listed());
      case JobDeed.Pulse(int process) -> new Lives(processes.get(process).alive());
    };
  }

  private JobState listed() {
    return jobs.list().stream()
        .filter(each -> each.id().equals(job))
        .map(Job::state)
        .findFirst()
        .orElse(JobState.CLOSED);
  }

  private static JobAnswer answer(BeginResult result) {
    return switch (result) {
      case BeginResult.Begun(Job begun) -> new Done(begun.state());
      case BeginResult.Refused(String reason) -> refused(reason);
    };
  }

  private static JobAnswer answer(AdoptResult result) {
    return switch (result) {
      case AdoptResult.Adopted _ -> new Done(JobState.OPEN);
      case AdoptResult.NotOpen(String reason) -> refused(reason);
      case AdoptResult.Kept(String reason) -> new Other(reason);
      case AdoptResult.Failed(String reason) -> new Other(reason);
    };
  }

  private static JobAnswer answer(EndResult result) {
    return switch (result) {
      case EndResult.Clean _ -> new Done(JobState.CLOSED);
      case EndResult.NoSuchJob _ -> new Refused(JobState.CLOSED);
      case EndResult.Unclean unclean -> new Other(unclean.toString());
    };
  }

  private static JobAnswer answer(StateResult result) {
    return switch (result) {
      case StateResult.Reached(Job reached, _) -> new Done(reached.state());
      case StateResult.NoSuchJob _ -> new Refused(JobState.CLOSED);
      case StateResult.Refused(String reason) -> refused(reason);
    };
  }

  /** What a refusal says to people: "job 42 is closing", "is ending", "is not on this node". */
  private static JobAnswer refused(String reason) {
    if (reason.endsWith(" is ending")) {
      return new Refused(JobState.CLOSING);
    }
    if (reason.endsWith(" is not on this node")) {
      return new Refused(JobState.CLOSED);
    }
    for (JobState state : JobState.values()) {
      if (reason.endsWith(" is " + state.name().toLowerCase(Locale.ROOT))) {
        return new Refused(state);
      }
    }
    return new Other(reason);
  }

  /** Leaves no job and no process. */
  @Override
  public void close() {
    jobs.end(job, LONG);
    for (PinnedProcess process : processes) {
      finish.accept(process);
      process.close();
    }
  }
}
