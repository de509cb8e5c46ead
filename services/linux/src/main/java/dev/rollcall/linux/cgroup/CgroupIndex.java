package dev.rollcall.linux.cgroup;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the job of a cgroup by the kernel's id of the cgroup. Ids of the directories that Rollcall
 * made are told to it before a process enters them, so a hit is one map look-up; cgroups that a job
 * made below its own are found by walking the jobs' directories when an unknown id is asked for.
 *
 * <p>A walk visits at most {@link #MOST_DIRECTORIES}, and about as many of their ids are kept. The
 * next one comes not before {@link #BETWEEN_WALKS}, nor before 20 times as long as it took. Of an
 * unknown id in between nothing is known. Whether a cgroup is a job's never changes (a cgroup
 * cannot be moved, an id is not used again), so ids that are no job's are remembered and cause no
 * walk.
 */
public final class CgroupIndex {
  static final int MOST_DIRECTORIES = 10_000;
  static final int MOST_STRANGERS = 16_384;
  private static final long REST_PER_WALK = 20;
  static final Duration BETWEEN_WALKS = Duration.ofMillis(100);

  private final Function<JobId, CgroupDirectory> directories;
  private final LongSupplier nanoTime;
  private final int most;
  private final Map<Long, JobStep> steps = new ConcurrentHashMap<>();

  /** By walks: users make the cgroups, and remove them again. */
  private final Map<Long, JobStep> found = new ConcurrentHashMap<>();

  private final Map<JobId, Set<Long>> idsOfJob = new ConcurrentHashMap<>();
  private final Set<Long> strangers = ConcurrentHashMap.newKeySet();
  private boolean walked;
  private long lastWalk;
  private long betweenWalks;

  /**
   * @param root the directory that holds the jobs' directories
   * @param nanoTime {@link System#nanoTime}
   */
  public CgroupIndex(CgroupDirectory root, LongSupplier nanoTime) {
    this(job -> root.child(JobPath.directory(job)), nanoTime);
  }

  /**
   * @param directories where a job's directory is, for jobs that were told; the directories of
   *     steps are right below it
   * @param nanoTime {@link System#nanoTime}
   */
  public CgroupIndex(Function<JobId, CgroupDirectory> directories, LongSupplier nanoTime) {
    this(directories, nanoTime, MOST_DIRECTORIES);
  }

  /**
   * @param most directories that a walk visits
   */
  CgroupIndex(Function<JobId, CgroupDirectory> directories, LongSupplier nanoTime, int most) {
    this.directories = directories;
    this.nanoTime = nanoTime;
    this.most = most;
  }

  /** Learns a directory. To be called when it is made, before a process is in it. */
  public void add(CgroupDirectory directory, JobStep step) throws IOException {
    long id = directory.id();
    idsOfJob.compute(step.job(), (_, ids) -> with(ids, id, step));
  }

  /** Runs inside compute() of {@link #idsOfJob}, so that both maps change together. */
  private Set<Long> with(@Nullable Set<Long> ids, long id, JobStep step) {
    Set<Long> all = ids == null ? ConcurrentHashMap.newKeySet() : ids;
    all.add(id);
    steps.put(id, step);
    strangers.remove(id);
    return all;
  }

  /**
   * Forgets all of a job. Ids of single leaves are kept until then: a call that was made from one
   * is asked about after the leaf is gone.
   */
  public void forget(JobId job) {
    idsOfJob.computeIfPresent(
        job,
        (_, ids) -> {
          ids.forEach(steps::remove);
          found.values().removeIf(step -> step.job().equals(job));
          return null;
        });
  }

  /** The number of ids that are known, of all jobs. */
  public int size() {
    return steps.size() + found.size();
  }

  /**
   * The step that owns the cgroup, or no job: also for 0. Empty if it is not known now, since the
   * last walk was a moment ago or did not get round.
   */
  public Optional<Membership> find(long id) {
    Optional<Membership> known = known(id);
    if (known.isPresent()) {
      return known;
    }
    return id == 0 || idsOfJob.isEmpty() || strangers.contains(id)
        ? Optional.of(new Membership.NoJob())
        : search(id);
  }

  private Optional<Membership> known(long id) {
    return Optional.ofNullable(steps.get(id))
        .or(() -> Optional.ofNullable(found.get(id)))
        .map(Membership.InJob::new);
  }

  private synchronized Optional<Membership> search(long id) {
    long now = nanoTime.getAsLong();
    if (walked && now - lastWalk < betweenWalks) {
      return known(id);
    }
    boolean complete = walk();
    walked = true;
    lastWalk = nanoTime.getAsLong();
    // A large tree is walked less often, so that floods of unknown ids cost a part of one core.
    betweenWalks = Math.max(BETWEEN_WALKS.toNanos(), REST_PER_WALK * (lastWalk - now));
    Optional<Membership> known = known(id);
    if (known.isPresent() || !complete) {
      return known;
    }
    if (strangers.size() >= MOST_STRANGERS) {
      strangers.clear();
    }
    strangers.add(id);
    return Optional.of(new Membership.NoJob());
  }

  /**
   * Visits the directories of the known jobs; false if there were too many, or one not readable.
   */
  private boolean walk() {
    Map<Long, JobStep> seen = new HashMap<>();
    boolean complete = List.copyOf(idsOfJob.keySet()).stream().allMatch(job -> walk(job, seen));
    if (found.size() + seen.size() > most) {
      found.clear();
    }
    seen.forEach(this::keep);
    return complete;
  }

  private boolean walk(JobId job, Map<Long, JobStep> seen) {
    CgroupDirectory top = directories.apply(job);
    try {
      return !top.any(directory -> {
        if (seen.size() >= most) {
          return true;
        }
        String below = top.path().relativize(directory.path()).toString();
        see(directory, new JobStep(job, JobPath.stepBelow(below)), seen);
        return false;
      });
    } catch (IOException e) {
      return false;
    }
  }

  private static void see(CgroupDirectory directory, JobStep step, Map<Long, JobStep> seen) {
    try {
      seen.put(directory.id(), step);
    } catch (IOException gone) {
      // A directory that is gone has no processes to ask for.
    }
  }

  /** If the job is known: one that was forgotten meanwhile must not come back. */
  private void keep(long id, JobStep step) {
    idsOfJob.computeIfPresent(
        step.job(),
        (_, ids) -> {
          if (!ids.contains(id)) {
            found.put(id, step);
            strangers.remove(id);
          }
          return ids;
        });
  }
}
