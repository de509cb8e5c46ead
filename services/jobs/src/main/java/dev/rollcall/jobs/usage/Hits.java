package dev.rollcall.jobs.usage;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.linux.cgroup.Carried;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupFiles;
import dev.rollcall.linux.cgroup.LimitHits;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Mishap;
import dev.rollcall.model.usage.Mishap.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * What one job's processes ran into since the last look: told of a session where the kernel counts
 * in the session's leaf, else of a step, else of the job's extern step.
 */
final class Hits {
  /** Where something was counted. */
  private record Place(Optional<StepId> step, String leaf) {
    static final Place JOB = new Place(Optional.empty(), "");
  }

  /** One that was counted more often than before. */
  record More(Kind kind, JobStep step, OptionalLong session, long times) {}

  private final JobTree tree;
  private final Leaves leaves;
  private final Remains remains;
  private final Map<Place, LimitHits> before = new HashMap<>();
  private boolean looked;

  /**
   * @param fresh false for a job that was there before this agent: what it ran into so far was told
   */
  Hits(JobTree tree, Leaves leaves, Remains remains, boolean fresh) {
    this.tree = tree;
    this.leaves = leaves;
    this.remains = remains;
    this.looked = fresh;
  }

  /** Looks again. */
  List<More> look(Job job) throws IOException {
    remains.lock.lock();
    try {
      return found(job);
    } finally {
      remains.lock.unlock();
    }
  }

  private List<More> found(Job job) throws IOException {
    Map<Place, LimitHits> now = new HashMap<>();
    List<More> found = new ArrayList<>();
    LimitHits told = new LimitHits(OptionalLong.of(0), OptionalLong.of(0));
    for (StepId id : leaves.steps(job.id())) {
      JobStep step = new JobStep(job.id(), id);
      LimitHits ofLeaves = new LimitHits(OptionalLong.of(0), OptionalLong.of(0));
      for (CgroupDirectory leaf : tree.identity().user(step).children()) {
        String name = String.valueOf(leaf.path().getFileName());
        LimitHits more =
            more(
                now, new Place(Optional.of(id), name), each -> each.leaf(step, name), Carried.NONE);
        add(found, step, Leaves.sessionOf(name), more);
        ofLeaves = plus(ofLeaves, more);
      }
      LimitHits ofStep =
          more(now, new Place(Optional.of(id), ""), each -> each.step(step), remains.of(step));
      add(found, step, OptionalLong.empty(), ofStep.since(ofLeaves));
      told = plus(told, largest(ofStep, ofLeaves));
    }
    JobStep extern = new JobStep(job.id(), StepId.EXTERN);
    LimitHits ofJob = more(now, Place.JOB, each -> each.job(job.id()), remains.of(extern));
    add(found, extern, OptionalLong.empty(), ofJob.since(told));
    boolean tell = looked;
    looked = true;
    keep(now);
    return tell ? List.copyOf(found) : List.of();
  }

  /** A leaf that is gone stays counted in what is above it. */
  private void keep(Map<Place, LimitHits> now) {
    Set<Place> gone = new HashSet<>(before.keySet());
    gone.removeAll(now.keySet());
    gone.forEach(before::remove);
    // Never back: what was told once is not told again if a count is read in between.
    now.forEach((place, hits) -> before.merge(place, hits, Hits::largest));
  }

  private LimitHits more(
      Map<Place, LimitHits> now,
      Place place,
      Function<Hierarchy, CgroupDirectory> directory,
      Carried gone) {
    List<CgroupDirectory> there = tree.hierarchies().stream().map(directory).toList();
    LimitHits read = LimitHits.read(new CgroupFiles(there), gone);
    now.put(place, read);
    LimitHits earlier = before.get(place);
    return earlier == null ? read : read.since(earlier);
  }

  private static void add(List<More> found, JobStep step, OptionalLong session, LimitHits more) {
    if (more.oomKills().orElse(0) > 0) {
      found.add(new More(Kind.OOM_KILL, step, session, more.oomKills().getAsLong()));
    }
    if (more.pidsRefused().orElse(0) > 0) {
      found.add(new More(Mishap.Kind.PIDS_REFUSED, step, session, more.pidsRefused().getAsLong()));
    }
  }

  private static LimitHits plus(LimitHits one, LimitHits other) {
    return new LimitHits(
        OptionalLong.of(one.oomKills().orElse(0) + other.oomKills().orElse(0)),
        OptionalLong.of(one.pidsRefused().orElse(0) + other.pidsRefused().orElse(0)));
  }

  private static LimitHits largest(LimitHits one, LimitHits other) {
    return new LimitHits(
        OptionalLong.of(Math.max(one.oomKills().orElse(0), other.oomKills().orElse(0))),
        OptionalLong.of(Math.max(one.pidsRefused().orElse(0), other.pidsRefused().orElse(0))));
  }
}
