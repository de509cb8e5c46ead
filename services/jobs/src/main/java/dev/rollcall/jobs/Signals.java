package dev.rollcall.jobs;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupKill;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import java.io.IOException;
import java.util.Optional;

/**
 * SIGKILL to a process of a cgroup. It is pinned first and the cgroup is read again after, so that
 * a pid that passed to a process outside meanwhile is left alone.
 */
record Signals(Proc proc) implements CgroupKill.Signal {
  private static final int SIGKILL = 9;

  @Override
  public void kill(int pid, CgroupDirectory in) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(proc, pid);
    if (pinned.isEmpty()) {
      return;
    }
    try (Pidfd process = pinned.get()) {
      if (in.pids().contains(pid)) {
        process.signal(SIGKILL);
      }
    }
  }
}
