package dev.rollcall.jobs.devices;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.devices.DeviceGate;
import dev.rollcall.linux.devices.FilesGate;
import dev.rollcall.linux.devices.ProgramGate;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import java.io.IOException;
import java.util.Optional;

/**
 * Sets the device rules of jobs and steps: on the job's own directory, and on the {@code user}
 * directory of a step. A step is bound by its job's rules too. Where nothing decides about devices,
 * rules that say anything are refused.
 */
public final class DeviceControl {
  private static final String V1 = "devices";

  private final Optional<Hierarchy> hierarchy;
  private final DeviceGate gate;

  private DeviceControl(Optional<Hierarchy> hierarchy, DeviceGate gate) {
    this.hierarchy = hierarchy;
    this.gate = gate;
  }

  public static DeviceControl of(JobTree tree) {
    Optional<Hierarchy> v2 =
        tree.hierarchies().stream()
            .filter(each -> each.name().equals(ProcessCgroups.V2))
            .findFirst();
    if (v2.isPresent()) {
      return new DeviceControl(v2, new ProgramGate());
    }
    Optional<Hierarchy> v1 =
        tree.hierarchies().stream()
            .filter(each -> each.mount().controllers().contains(V1))
            .findFirst();
    return new DeviceControl(v1, new FilesGate());
  }

  /**
   * Sets the rules of a job or step that is being made, and makes its directory if it is missing:
   * before there is anything below it, and so before a process can be.
   *
   * @param step absent: the job
   * @throws IOException naming the cgroup or its file, the value, and what the kernel said
   */
  public void begin(JobId job, Optional<StepId> step, DeviceRules rules) throws IOException {
    if (rules.kind() == Kind.OPEN) {
      return;
    }
    CgroupDirectory cgroup = cgroup(job, step);
    cgroup.create();
    gate.set(cgroup, DeviceRules.OPEN, rules);
  }

  /**
   * Puts rules in the place of others.
   *
   * @throws IOException as {@link #begin}; the rules are then as they were, or in part as asked
   */
  public void change(JobId job, Optional<StepId> step, DeviceRules before, DeviceRules rules)
      throws IOException {
    if (before.kind() != Kind.OPEN || rules.kind() != Kind.OPEN) {
      gate.set(cgroup(job, step), before, rules);
    }
  }

  /**
   * Sets the rules again if they are not there.
   *
   * @return false if they had to be set
   */
  public boolean restore(JobId job, Optional<StepId> step, DeviceRules rules) throws IOException {
    return rules.kind() == Kind.OPEN || gate.restore(cgroup(job, step), rules);
  }

  private CgroupDirectory cgroup(JobId job, Optional<StepId> step) throws IOException {
    Hierarchy in =
        hierarchy.orElseThrow(() ->
            new IOException("devices: neither cgroup2 nor the v1 devices hierarchy is in use"));
    return step.map(each -> in.user(new JobStep(job, each))).orElseGet(() -> in.job(job));
  }
}
