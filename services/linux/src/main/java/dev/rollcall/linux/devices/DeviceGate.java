package dev.rollcall.linux.devices;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.allocation.DeviceRules;
import java.io.IOException;

/** Allows or denies devices for the processes of a cgroup and of those below it. */
public interface DeviceGate {
  /**
   * Sets the rules of a cgroup.
   *
   * @param before the rules that it has; OPEN when it was just made
   * @throws IOException naming the cgroup or its file, the value, and what the kernel said
   */
  void set(CgroupDirectory cgroup, DeviceRules before, DeviceRules rules) throws IOException;

  /**
   * Finds out whether a cgroup has these rules, and sets them if it has not: after a restart, and
   * when something else may have changed them.
   *
   * @return false if they had to be set
   */
  boolean restore(CgroupDirectory cgroup, DeviceRules rules) throws IOException;
}
