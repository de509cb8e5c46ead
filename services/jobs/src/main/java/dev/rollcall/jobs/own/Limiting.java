package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.limits.Enforcement;
import dev.rollcall.jobs.limits.LimitTarget;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs.LimitResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The limits of jobs and steps: set at the begin, changed, and held. Under the job's lock. */
final class Limiting {
  private static final System.Logger LOG = System.getLogger(Limiting.class.getName());

  private final JobTree tree;
  private final JobJournal journal;
  private final NativeJobsConfig.Site site;
  private final Enforcement enforcement;
  private final OomKill oomKill;

  Limiting(JobTree tree, JobJournal journal, NativeJobsConfig.Site site, OomKill oomKill) {
    this.tree = tree;
    this.journal = journal;
    this.site = site;
    this.enforcement = new Enforcement(tree);
    this.oomKill = oomKill;
    if (oomKill != OomKill.PROCESS && !tree.identity().v2()) {
      LOG.log(
          WARNING,
          "oom_kill: {0} has no effect: on cgroup v1 the kernel kills single processes only",
          oomKill.name().toLowerCase(Locale.ROOT));
    }
  }

  /** The request after the site's rules. */
  Allocation allowed(Allocation asked) {
    return site.rules().of(asked);
  }

  /** Limits a job whose directories are there and that nobody is in. */
  void begin(NativeJob job) throws IOException {
    enforcement.change(
        new LimitTarget(job.id(), Optional.empty()),
        Limits.NONE,
        job.allocation().limits(),
        Map.of());
    if (oomKill == OomKill.JOB) {
      enforcement.endTogether(place(job, Optional.empty()));
    }
  }

  /** Limits a step whose directories are there, by what the site makes of what was asked. */
  void beginStep(NativeJob job, StepId step, Limits asked) throws IOException {
    Limits before = job.allocation(Optional.of(step)).limits();
    Limits now = before.with(site.rules().of(asked));
    if (!now.equals(before)) {
      enforcement.change(place(job, Optional.of(step)), before, now, Map.of());
      job.allocated(Optional.of(step), job.allocation(Optional.of(step)).with(now), journal);
    }
    if (oomKill == OomKill.STEP) {
      enforcement.endTogether(place(job, Optional.of(step)));
    }
  }

  /** Gives a job or step that runs other limits. */
  LimitResult change(NativeJob job, Optional<StepId> step, Limits changed) {
    LimitTarget place = place(job, step);
    Limits before = job.allocation(step).limits();
    Limits now = before.with(site.rules().of(changed));
    try {
      enforcement.change(place, before, now, stepLimits(job));
      try {
        job.allocated(step, job.allocation(step).with(now), journal);
      } catch (IOException e) {
        enforcement.change(place, now, before, stepLimits(job));
        throw e;
      }
      return new LimitResult.Changed(now);
    } catch (IOException e) {
      return new LimitResult.Refused("limits of " + place + ": " + e.getMessage());
    }
  }

  private static LimitTarget place(NativeJob job, Optional<StepId> step) {
    return new LimitTarget(job.id(), step);
  }

  private static Map<StepId, Limits> stepLimits(NativeJob job) {
    Map<StepId, Limits> limits = new HashMap<>();
    job.stepAllocations().forEach((step, own) -> limits.put(step, own.limits()));
    return limits;
  }

  /** Holds the scope to what is left for jobs. */
  void holdReserve(List<NativeJob> jobs) throws IOException {
    Map<Path, NumberList> own = new HashMap<>();
    for (NativeJob job : jobs) {
      enforcement.ownCpus(place(job, Optional.empty()), job.allocation().limits(), own);
      stepLimits(job)
          .forEach(
              (step, limits) -> enforcement.ownCpus(place(job, Optional.of(step)), limits, own));
    }
    site.reserve().hold(tree, site.ramBytes(), own);
  }

  /** Restores limits that were changed from outside, and reports it. */
  void hold(NativeJob job, Consumer<Incident> tell) {
    List<String> drifted = new ArrayList<>();
    try {
      Map<StepId, Limits> steps = stepLimits(job);
      drifted.addAll(
          enforcement.restore(place(job, Optional.empty()), job.allocation().limits(), steps));
      report(job, StepId.EXTERN, drifted, tell);
      for (var step : steps.entrySet()) {
        LimitTarget place = place(job, Optional.of(step.getKey()));
        report(job, step.getKey(), enforcement.restore(place, step.getValue(), Map.of()), tell);
      }
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "limits of job {0} were changed by another program: {1}",
          job.id(),
          e.getMessage());
    }
  }

  private static void report(
      NativeJob job, StepId step, List<String> drifted, Consumer<Incident> tell) {
    for (String what : drifted) {
      LOG.log(WARNING, "drifted: {0}", what);
      tell.accept(Incident.drifted(new JobStep(job.id(), step), what));
    }
  }
}
