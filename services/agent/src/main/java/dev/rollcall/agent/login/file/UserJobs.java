package dev.rollcall.agent.login.file;

import dev.rollcall.agent.login.file.UserFile.Own;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.proto.login.v1.Ask;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The jobs of this node that are not CLOSED, by user. Not thread-safe, but for {@link
 * #anyHasSeveral}.
 */
final class UserJobs {
  /**
   * @param place absent: the agent is asked to move sessions
   */
  record Known(Job job, Optional<SessionPlace> place) {
    Own own() {
      return new Own(
          job,
          place.filter(it -> it.container().userNamespace()).isPresent()
              ? Ask.ASK_USER_NAMESPACE
              : Ask.ASK_UNSPECIFIED);
    }
  }

  private final Map<Integer, TreeMap<JobId, Known>> users = new HashMap<>();
  private final Map<JobId, Known> all = new HashMap<>();
  private final AtomicInteger withSeveral = new AtomicInteger();

  /**
   * Takes a job in, or drops it if it is CLOSED.
   *
   * @return whose it was before, if that was somebody else: of some jobs the owner is a guess first
   */
  OptionalInt take(Job job, Optional<SessionPlace> place) {
    Optional<Integer> before = Optional.ofNullable(all.remove(job.id())).map(it -> it.job().uid());
    before.ifPresent(uid -> drop(uid, job.id()));
    if (job.state() != JobState.CLOSED) {
      var known = new Known(job, place);
      all.put(job.id(), known);
      Map<JobId, Known> own = users.computeIfAbsent(job.uid(), _ -> new TreeMap<>());
      own.put(job.id(), known);
      if (own.size() == 2) {
        withSeveral.incrementAndGet();
      }
    }
    return before
        .filter(uid -> uid != job.uid())
        .map(OptionalInt::of)
        .orElseGet(OptionalInt::empty);
  }

  private void drop(int uid, JobId job) {
    users.computeIfPresent(
        uid,
        (_, jobs) -> {
          if (jobs.remove(job) != null && jobs.size() == 1) {
            withSeveral.decrementAndGet();
          }
          return jobs.isEmpty() ? null : jobs;
        });
  }

  /** Whether there is a user with more than one. */
  boolean anyHasSeveral() {
    return withSeveral.get() > 0;
  }

  Optional<Known> of(JobId job) {
    return Optional.ofNullable(all.get(job));
  }

  Collection<Known> all() {
    return List.copyOf(all.values());
  }

  /** Those who have a job. */
  Set<Integer> users() {
    return Set.copyOf(users.keySet());
  }

  /** A user's, by number; empty if they have none. */
  Map<JobId, Known> of(int uid) {
    return users.getOrDefault(uid, new TreeMap<>());
  }
}
