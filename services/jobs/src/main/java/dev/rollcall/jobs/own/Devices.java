package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.limits.LimitTarget;
import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.devices.DeviceGate;
import dev.rollcall.linux.devices.FilesGate;
import dev.rollcall.linux.devices.ProgramGate;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs.LimitResult;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sets the device rules of jobs and steps before a process is there, changes them, and restores
 * them. A step is bound by its job's rules too. Where nothing decides about devices, rules that say
 * anything are refused. Under the job's lock.
 */
final class Devices {
  private static final System.Logger LOG = System.getLogger(Devices.class.getName());

  private final JobJournal journal;
  private final Optional<Hierarchy> hierarchy;
  private final DeviceGate gate;

  Devices(JobTree tree, JobJournal journal) {
    this.journal = journal;
    this.hierarchy =
        tree.hierarchies().stream()
            .filter(each -> each.v2() || each.mount().controllers().contains("devices"))
            .findFirst();
    this.gate = tree.identity().v2() ? new ProgramGate() : new FilesGate();
  }

  /** Rules a job of which no directory is there yet. */
  void begin(NativeJob job) throws IOException {
    begin(place(job, Optional.empty()), DeviceRules.OPEN, job.allocation().devices());
  }

  /** Rules a step before it has a leaf. */
  void beginStep(NativeJob job, StepId step, DeviceRules rules) throws IOException {
    Optional<StepId> here = Optional.of(step);
    DeviceRules before = rulesOf(job, here);
    if (!before.equals(rules)) {
      begin(place(job, here), before, rules);
      job.allocated(here, job.allocation(here).with(rules), journal);
    }
  }

  /** Makes the directory if it is missing: before anything is below it, and so any process. */
  private void begin(LimitTarget place, DeviceRules before, DeviceRules rules) throws IOException {
    if (rules.kind() != Kind.OPEN) {
      cgroup(place).create();
    }
    set(place, before, rules);
  }

  /** Gives a job or step that runs other rules. */
  LimitResult change(NativeJob job, Optional<StepId> step, DeviceRules rules) {
    try {
      change(job, step, rulesOf(job, step), rules);
      return new LimitResult.Changed(job.allocation(step).limits());
    } catch (IOException e) {
      return new LimitResult.Refused("devices of " + place(job, step) + ": " + e.getMessage());
    }
  }

  /** If a write fails, restores the previous rules where the kernel allows it. */
  private void change(NativeJob job, Optional<StepId> step, DeviceRules before, DeviceRules rules)
      throws IOException {
    try {
      set(place(job, step), before, rules);
      job.allocated(step, job.allocation(step).with(rules), journal);
    } catch (IOException e) {
      try {
        restored(place(job, step), before);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private void set(LimitTarget place, DeviceRules before, DeviceRules rules) throws IOException {
    if (before.kind() != Kind.OPEN || rules.kind() != Kind.OPEN) {
      gate.set(cgroup(place), before, rules);
    }
  }

  /** Sets the rules again if they are not there; false if they had to be set. */
  private boolean restored(LimitTarget place, DeviceRules rules) throws IOException {
    return rules.kind() == Kind.OPEN || gate.restore(cgroup(place), rules);
  }

  private CgroupDirectory cgroup(LimitTarget place) throws IOException {
    return place.in(
        hierarchy.orElseThrow(() ->
            new IOException("devices: neither cgroup2 nor the v1 devices hierarchy is in use")));
  }

  private static LimitTarget place(NativeJob job, Optional<StepId> step) {
    return new LimitTarget(job.id(), step);
  }

  private static DeviceRules rulesOf(NativeJob job, Optional<StepId> step) {
    return job.allocation(step).devices();
  }

  /** Restores rules that are gone, and reports it. */
  void hold(NativeJob job, Consumer<Incident> tell) {
    if (job.state() == JobState.CLOSING) {
      return;
    }
    hold(job, Optional.empty(), tell);
    job.stepAllocations().keySet().forEach(step -> hold(job, Optional.of(step), tell));
  }

  private void hold(NativeJob job, Optional<StepId> step, Consumer<Incident> tell) {
    LimitTarget place = place(job, step);
    try {
      if (!restored(place, rulesOf(job, step))) {
        String what = "devices of " + place + " had other rules than they should";
        LOG.log(WARNING, "drifted: {0}", what);
        tell.accept(Incident.drifted(new JobStep(job.id(), step.orElse(StepId.EXTERN)), what));
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot restore the device rules of {0}: {1}", place, e.getMessage());
    }
  }
}
