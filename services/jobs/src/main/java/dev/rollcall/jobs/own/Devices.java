package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.devices.DeviceControl;
import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.limits.LimitTarget;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.port.Jobs.LimitResult;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The devices of jobs and steps: ruled before a process is there, changed, and held. Under the
 * job's lock.
 */
final class Devices {
  private static final System.Logger LOG = System.getLogger(Devices.class.getName());

  private final JobTree tree;
  private final JobJournal journal;
  private final DeviceControl control;

  Devices(JobTree tree, JobJournal journal) {
    this.tree = tree;
    this.journal = journal;
    this.control = DeviceControl.of(tree);
  }

  /** Rules a job of which no directory is there yet. */
  void begin(NativeJob job) throws IOException {
    control.begin(job.id(), Optional.empty(), job.allocation().devices());
  }

  /** Rules a step before it has a leaf. */
  void beginStep(NativeJob job, StepId step, DeviceRules rules) throws IOException {
    Optional<StepId> here = Optional.of(step);
    DeviceRules before = rulesOf(job, here);
    if (before.equals(rules)) {
      return;
    }
    if (before.kind() == DeviceRules.Kind.OPEN) {
      control.begin(job.id(), here, rules);
    } else {
      control.change(job.id(), here, before, rules);
    }
    job.allocated(here, job.allocation(here).with(rules), journal);
  }

  LimitResult change(NativeJob job, Optional<StepId> step, DeviceRules rules) {
    if (step.isPresent() && !tree.identity().user(new JobStep(job.id(), step.get())).exists()) {
      return new LimitResult.NotHere();
    }
    if (job.state() != JobState.OPEN && job.state() != JobState.SUSPENDED) {
      return new LimitResult.Refused(job.standing());
    }
    DeviceRules before = rulesOf(job, step);
    try {
      change(job, step, before, rules);
      return new LimitResult.Changed(job.allocation(step).limits());
    } catch (IOException e) {
      return new LimitResult.Refused(
          "devices of " + new LimitTarget(job.id(), step) + ": " + e.getMessage());
    }
  }

  /** If a write fails, restores the previous rules where the kernel allows it. */
  private void change(NativeJob job, Optional<StepId> step, DeviceRules before, DeviceRules rules)
      throws IOException {
    try {
      control.change(job.id(), step, before, rules);
      job.allocated(step, job.allocation(step).with(rules), journal);
    } catch (IOException e) {
      try {
        control.restore(job.id(), step, before);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
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
    try {
      if (!control.restore(job.id(), step, rulesOf(job, step))) {
        String what =
            "devices of " + new LimitTarget(job.id(), step) + " had other rules than they should";
        LOG.log(WARNING, "drifted: {0}", what);
        JobStep where = new JobStep(job.id(), step.orElse(StepId.EXTERN));
        tell.accept(Incident.drifted(where, what));
      }
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot restore the device rules of {0}: {1}",
          new LimitTarget(job.id(), step),
          e.getMessage());
    }
  }
}
