package dev.rollcall.linux.devices;

import dev.rollcall.linux.bpf.BpfProgram;
import dev.rollcall.linux.bpf.CgroupPrograms;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.allocation.DeviceRules;
import java.io.IOException;
import java.util.List;

/**
 * Controls devices with cgroup v2: a BPF program on the cgroup, beside those of systemd or others
 * (Linux 5.6). All of them, here and above, must allow an access. The program stays when the agent
 * ends, is known again by its name and by its hash, and goes with the cgroup.
 */
public final class ProgramGate implements DeviceGate {
  static final String NAME = "rollcall_dev";

  /** No helper is called, so the kernel does not ask for the GPL. */
  private static final String LICENSE = "Apache-2.0";

  private static final BpfProgram.Type TYPE = BpfProgram.Type.CGROUP_DEVICE;

  @Override
  public void set(CgroupDirectory cgroup, DeviceRules before, DeviceRules rules)
      throws IOException {
    restore(cgroup, rules);
  }

  @Override
  public boolean restore(CgroupDirectory cgroup, DeviceRules rules) throws IOException {
    var programs = new CgroupPrograms(cgroup.path(), TYPE);
    List<BpfProgram> ours = programs.named(NAME);
    try {
      if (rules.kind() == DeviceRules.Kind.OPEN) {
        removeAll(programs, ours);
        return ours.isEmpty();
      }
      try (BpfProgram wanted =
          BpfProgram.load(TYPE, NAME, LICENSE, DeviceProgram.assemble(rules))) {
        return put(programs, ours, wanted);
      }
    } finally {
      ours.forEach(BpfProgram::close);
    }
  }

  private static boolean put(CgroupPrograms programs, List<BpfProgram> ours, BpfProgram wanted)
      throws IOException {
    if (ours.isEmpty()) {
      programs.add(wanted);
      return false;
    }
    boolean same = ours.getFirst().identity().equals(wanted.identity());
    if (!same) {
      programs.replace(ours.getFirst(), wanted);
    }
    removeAll(programs, ours.subList(1, ours.size()));
    return same && ours.size() == 1;
  }

  private static void removeAll(CgroupPrograms programs, List<BpfProgram> some) throws IOException {
    for (BpfProgram each : some) {
      programs.remove(each);
    }
  }
}
