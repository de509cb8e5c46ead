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

  private static final LimitHits NONE = new LimitHits(OptionalLong.of(0), OptionalLong.of(0));

  private final JobTree tree;
  private final Leaves leaves;
  private final Remains remains;

  /** Of each place, how much was told of it and of what is or was below it. */
  private final Map<Place, LimitHits> told = new HashMap<>();

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

  List<More> look(Job job) throws IOException {
    remains.lock.lock();
    try {
      return found(job);
    } finally {
      remains.lock.unlock();
    }
  }

  /**
   * What is above is read before what is below it: a count that goes up in between is then found
   * below, now, and not above. Read the other way round it would be told of the step, and at the
   * next look once more of the session.
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

  /** What is told of the step and its leaves now. */
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

  /** What was counted here and told neither before nor, just now, of what is below. */
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
