package dev.rollcall.jobs.usage;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.linux.cgroup.Carried;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupFiles;
import dev.rollcall.linux.cgroup.CgroupMeasures;
import dev.rollcall.linux.cgroup.CgroupUsage;
import dev.rollcall.linux.cgroup.RequiredPeak;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measured;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.model.usage.UsageRecord.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads the current usage of jobs, steps and sessions from their cgroups. A session is a leaf of
 * the extern step; the cgroups above it keep what it used when it is gone, and where the kernel
 * does not keep it, {@link Remains} does.
 */
public final class Accounts {
  private static final System.Logger LOG = System.getLogger(Accounts.class.getName());

  private static final Optional<StepId> EXTERN = Optional.of(StepId.EXTERN);

  private final JobTree tree;
  private final Leaves leaves;
  private final Remains remains;

  public Accounts(JobTree tree, Leaves leaves) {
    this.tree = tree;
    this.leaves = leaves;
    this.remains = new Remains(tree);
  }

  /** The records of the job, its steps, and its sessions that have a leaf, in this order. */
  public List<UsageRecord> of(Job job) throws IOException {
    sample(job);
    List<UsageRecord> records = new ArrayList<>();
    records.add(job(job, Optional.empty(), remains.of(extern(job))));
    for (StepId step : leaves.steps(job.id()).stream().sorted(StepId.EXTERN_FIRST).toList()) {
      records.add(step(job, step, Optional.empty()));
    }
    for (long number : leaves.sessionNumbers(job.id()).stream().sorted().toList()) {
      records.add(session(job, number, Optional.empty()));
    }
    return records;
  }

  /** Measures the job, its steps, and its sessions that have a leaf, in this order. */
  public void measure(Job job, MeasureDepth depth, Consumer<Measured> each) throws IOException {
    JobStep extern = extern(job);
    // v2 keeps what was counted in cgroups that are removed.
    Carried gone = tree.identity().v2() ? Carried.NONE : remains.of(extern);
    OptionalLong none = OptionalLong.empty();
    measure(job, Optional.empty(), none, it -> it.job(job.id()), gone).ifPresent(each);
    if (depth.has(MeasureDepth.STEPS)) {
      for (StepId id : leaves.steps(job.id())) {
        JobStep step = new JobStep(job.id(), id);
        Carried ofStep = step.equals(extern) ? gone : Carried.NONE;
        measure(job, Optional.of(id), none, it -> it.step(step), ofStep).ifPresent(each);
      }
    }
    if (depth.has(MeasureDepth.SESSIONS)) {
      for (long number : leaves.sessionNumbers(job.id())) {
        String leaf = Leaves.session(number);
        OptionalLong session = OptionalLong.of(number);
        measure(job, EXTERN, session, it -> it.leaf(extern, leaf), Carried.NONE).ifPresent(each);
      }
    }
  }

  private Optional<Measured> measure(
      Job job,
      Optional<StepId> step,
      OptionalLong session,
      Function<Hierarchy, CgroupDirectory> at,
      Carried gone) {
    return CgroupMeasures.read(tree.files(at), gone)
        .map(measures -> {
          Optional<Instant> noted = step.flatMap(_ -> Beginnings.of(at.apply(tree.identity())));
          return new Measured(job.id(), step, session, noted.orElse(job.startedAt()), measures);
        });
  }

  /** Takes a sample of what only samples know: of the job, its steps and its sessions. */
  public void sample(Job job) {
    try {
      RequiredPeak.sample(tree.files(each -> each.job(job.id())));
      for (StepId step : leaves.steps(job.id())) {
        RequiredPeak.sample(tree.files(each -> each.step(new JobStep(job.id(), step))));
      }
      for (long number : leaves.sessionNumbers(job.id())) {
        sample(job, number);
      }
    } catch (IOException e) {
      LOG.log(DEBUG, "cannot sample job {0}: {1}", job.id(), e.getMessage());
    }
  }

  /** Takes a sample of one session only. */
  public void sample(Job job, long session) {
    RequiredPeak.sample(tree.files(each -> each.leaf(extern(job), Leaves.session(session))));
  }

  static JobStep extern(Job job) {
    return new JobStep(job.id(), StepId.EXTERN);
  }

  /**
   * @param gone what was counted in what is not there any more
   */
  UsageRecord job(Job job, Optional<Instant> ended, Carried gone) {
    CgroupFiles files = tree.files(each -> each.job(job.id()));
    return new UsageRecord(
        Kind.JOB,
        job.id(),
        Optional.empty(),
        OptionalLong.empty(),
        job.uid(),
        job.startedAt(),
        ended,
        CgroupUsage.read(files, gone));
  }

  UsageRecord step(Job job, StepId id, Optional<Instant> ended) {
    JobStep step = new JobStep(job.id(), id);
    return new UsageRecord(
        Kind.STEP,
        job.id(),
        Optional.of(id),
        OptionalLong.empty(),
        job.uid(),
        Beginnings.of(tree.identity().step(step)).orElse(job.startedAt()),
        ended,
        CgroupUsage.read(tree.files(each -> each.step(step)), remains.of(step)));
  }

  /** The record of a session, by the counts of its leaf. */
  public UsageRecord session(Job job, long number, Optional<Instant> ended) {
    JobStep extern = extern(job);
    String leaf = Leaves.session(number);
    return new UsageRecord(
        Kind.SESSION,
        job.id(),
        Optional.of(StepId.EXTERN),
        OptionalLong.of(number),
        job.uid(),
        Beginnings.of(tree.identity().leaf(extern, leaf)).orElse(job.startedAt()),
        ended,
        CgroupUsage.read(tree.files(each -> each.leaf(extern, leaf)), Carried.NONE));
  }

  Remains remains() {
    return remains;
  }
}
