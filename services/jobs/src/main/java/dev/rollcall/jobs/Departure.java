package dev.rollcall.jobs;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.From;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Moves processes into jobs, and decides whether one may leave its job for another. It holds the
 * locks of both jobs from the look at them until the move is done, in the order of their numbers,
 * so that two moves in opposite directions do not wait for each other.
 *
 * @param jobOf the job that a process is in, by {@code /proc/PID/cgroup}; empty: none, or the
 *     process has ended
 * @param find a job that is known here
 */
public record Departure<J extends LockedJob>(
    Function<PinnedProcess, Optional<JobId>> jobOf, Function<JobId, Optional<J>> find) {
  /** A process that root moves about meanwhile is looked for again so often. */
  private static final int MOST_LOOKS = 8;

  /** Moves the process; called with the locks held. */
  @FunctionalInterface
  public interface Move<J> {
    AdoptResult run(J into) throws IOException;
  }

  /**
   * @param uid the user whose job it must be
   */
  public AdoptResult run(PinnedProcess process, JobId id, int uid, From from, Move<J> move) {
    Optional<J> into = find.apply(id);
    if (into.isEmpty()) {
      return new AdoptResult.NotOpen("job " + id + " is not on this node");
    }
    try {
      return run(
          process,
          into.get(),
          from,
          job -> job.job().uid() == uid ? move.run(job) : AdoptResult.NotOpen.noJobOf(uid, id));
    } catch (IOException e) {
      return new AdoptResult.Failed("adopt into job " + id + ": " + e.getMessage());
    }
  }

  private AdoptResult run(PinnedProcess process, J into, From from, Move<J> move)
      throws IOException {
    for (int look = 0; look < MOST_LOOKS; look++) {
      Optional<JobId> there = another(process, into);
      if (there.isPresent() && from == From.NO_JOB) {
        return kept(process, there.get(), "");
      }
      Optional<J> left = there.flatMap(find);
      if (there.isPresent() && left.isEmpty()) {
        return kept(process, there.get(), ", which is not known here");
      }
      Optional<AdoptResult> result = attempt(process, into, left, move);
      if (result.isPresent()) {
        return result.get();
      }
    }
    return new AdoptResult.Failed(
        "process " + process.ref().pid() + " is moved between jobs at the same time");
  }

  /** Empty if the process is in another job by now than in the one that it was found in. */
  private Optional<AdoptResult> attempt(
      PinnedProcess process, J into, Optional<J> left, Move<J> move) throws IOException {
    List<J> both =
        Stream.concat(Stream.of(into), left.stream())
            .sorted(Comparator.comparingLong(job -> job.id().number()))
            .toList();
    both.forEach(job -> job.lock.lock());
    try {
      if (!another(process, into).equals(left.map(LockedJob::id))) {
        return Optional.empty();
      }
      if (left.isPresent() && left.get().state() != JobState.OPEN) {
        return Optional.of(
            new AdoptResult.Kept(
                "process %d stays where it is: %s"
                    .formatted(process.ref().pid(), left.get().standing())));
      }
      return Optional.of(move.run(into));
    } finally {
      both.reversed().forEach(job -> job.lock.unlock());
    }
  }

  private Optional<JobId> another(PinnedProcess process, LockedJob into) {
    return jobOf.apply(process).filter(job -> !job.equals(into.id()));
  }

  private static AdoptResult kept(PinnedProcess process, JobId job, String more) {
    return new AdoptResult.Kept(
        "process %d is in job %s%s".formatted(process.ref().pid(), job, more));
  }
}
