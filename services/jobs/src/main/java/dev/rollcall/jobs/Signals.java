package dev.rollcall.jobs;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupKill;
import java.io.IOException;
import java.util.Optional;

/**
 * SIGKILL to a process of a cgroup. The handle is taken first and the cgroup is read again after,
 * so that a pid that passed to another process meanwhile is left alone.
 */
final class Signals implements CgroupKill.Signal {
  @Override
  public void kill(int pid, CgroupDirectory in) throws IOException {
    Optional<ProcessHandle> handle = ProcessHandle.of(pid);
    if (handle.isPresent() && in.pids().contains(pid)) {
      handle.get().destroyForcibly();
    }
  }
}
