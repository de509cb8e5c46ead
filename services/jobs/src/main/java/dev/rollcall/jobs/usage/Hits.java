package dev.rollcall.jobs.usage;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.linux.cgroup.Carried;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.LimitHits;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.Incident.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The limits that one job's processes hit since the last look. They are reported for a session
 * where the kernel counts in the session's leaf, else for a step, else for the job's extern step.
 */
final class Hits {
  /** Where something was counted. */
  private record Place(Optional<StepId> step, String leaf) {
    static final Place JOB = new Place(Optional.empty(), "");
  }

  /** One that was counted more often than before. */
  record More(Kind kind, JobStep step, OptionalLong session, long times) {}

  private static final LimitHits NONE = new LimitHits(OptionalLong.of(0), OptionalLong.of(0));

  private final JobTree tree;
  private final Leaves leaves;
  private final Remains remains;

  /** For each place, the reported hits of it and of everything that is or was below it. */
  private final Map<Place, LimitHits> told = new HashMap<>();

  private boolean looked;

  /**
   * @param fresh false for a job from before this agent: its earlier hits were reported
   */
  Hits(JobTree tree, Leaves leaves, Remains remains, boolean fresh) {
    this.tree = tree;
    this.leaves = leaves;
    this.remains = remains;
    this.looked = fresh;
  }

  List<More> look(Job job) throws IOException {
    ReentrantLock lock = remains.lock(job.id());
    lock.lock();
    try {
      return found(job);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads a parent before its children. If a count rises between the two reads, only the child's
   * has it. In the other order the hit would be reported for the step now, and for the session at
   * the next look.
   */
  private List<More> found(Job job) throws IOException {
    List<More> found = new ArrayList<>();
    Set<Place> there = new HashSet<>(Set.of(Place.JOB));
    List<StepId> steps = leaves.steps(job.id());
    Carried gone = Carried.NONE;
    for (StepId id : steps) {
      gone = gone.plus(remains.of(new JobStep(job.id(), id)));
    }
    LimitHits ofJob = LimitHits.read(tree.files(each -> each.job(job.id())), gone);
    LimitHits toldBelow = NONE;
    for (StepId id : steps) {
      toldBelow = plus(toldBelow, ofStep(new JobStep(job.id(), id), there, found));
    }
    JobStep extern = new JobStep(job.id(), StepId.EXTERN);
    add(found, extern, OptionalLong.empty(), untold(Place.JOB, ofJob, toldBelow));
    told.keySet().retainAll(there);
    boolean tell = looked;
    looked = true;
    return tell ? List.copyOf(found) : List.of();
  }

  /** The hits of the step and its leaves that are reported now. */
  private LimitHits ofStep(JobStep step, Set<Place> there, List<More> found) throws IOException {
    LimitHits counted = LimitHits.read(tree.files(each -> each.step(step)), remains.of(step));
    LimitHits toldBelow = NONE;
    for (CgroupDirectory leaf : tree.identity().user(step).children()) {
      String name = String.valueOf(leaf.path().getFileName());
      Place place = new Place(Optional.of(step.step()), name);
      there.add(place);
      LimitHits more =
          untold(
              place, LimitHits.read(tree.files(each -> each.leaf(step, name)), Carried.NONE), NONE);
      add(found, step, Leaves.sessionOf(name), more);
      toldBelow = plus(toldBelow, more);
    }
    Place place = new Place(Optional.of(step.step()), "");
    there.add(place);
    LimitHits more = untold(place, counted, toldBelow);
    add(found, step, OptionalLong.empty(), more);
    return plus(toldBelow, more);
  }

  /** The hits that were counted here and not reported yet, neither here nor below. */
  private LimitHits untold(Place place, LimitHits counted, LimitHits toldBelow) {
    LimitHits known = plus(told.getOrDefault(place, NONE), toldBelow);
    LimitHits more = counted.since(known);
    told.put(place, plus(known, more));
    return more;
  }

  private static void add(List<More> found, JobStep step, OptionalLong session, LimitHits more) {
    if (more.oomKills().orElse(0) > 0) {
      found.add(new More(Kind.OOM_KILL, step, session, more.oomKills().getAsLong()));
    }
    if (more.pidsRefused().orElse(0) > 0) {
      found.add(
          new More(Incident.Kind.PIDS_REFUSED, step, session, more.pidsRefused().getAsLong()));
    }
  }

  private static LimitHits plus(LimitHits one, LimitHits other) {
    return new LimitHits(
        OptionalLong.of(one.oomKills().orElse(0) + other.oomKills().orElse(0)),
        OptionalLong.of(one.pidsRefused().orElse(0) + other.pidsRefused().orElse(0)));
  }
}
