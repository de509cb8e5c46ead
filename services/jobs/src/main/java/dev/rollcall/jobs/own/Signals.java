package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupKill;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;

/**
 * Signals to a process of a job's cgroup. It is pinned first, and where it is is read after: a
 * process outside that got the pid meanwhile is left alone.
 */
record Signals(JobTree tree, Proc procfs) implements CgroupKill.Signal {
  static final int SIGKILL = 9;
  static final int SIGTERM = 15;
  static final int SIGCONT = 18;

  @Override
  public void kill(int pid, CgroupDirectory in) throws IOException {
    send(pid, in, SIGKILL);
  }

  /** Sends these signals in this order; nothing if the process has ended or is elsewhere. */
  void send(int pid, CgroupDirectory in, int... signals) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(procfs, pid);
    if (pinned.isEmpty()) {
      return;
    }
    try (Pidfd process = pinned.get()) {
      if (isIn(pid, in)) {
        for (int signal : signals) {
          process.signal(signal);
        }
      }
    }
  }

  /** How many of these have ended. */
  int over(BitSet pids) {
    return (int)
        pids.stream().filter(pid -> procfs.stat(pid).filter(it -> !it.zombie()).isEmpty()).count();
  }

  /** Whether it lives in a job, and not in this one. */
  boolean inAnother(int pid, JobId job) {
    return procfs
        .cgroups(pid)
        .flatMap(tree::stepOf)
        .filter(step -> !step.job().equals(job))
        .isPresent();
  }

  private boolean isIn(int pid, CgroupDirectory directory) {
    return tree.hierarchies().stream()
        .filter(hierarchy -> directory.path().startsWith(hierarchy.mount().point()))
        .anyMatch(hierarchy ->
            procfs
                .cgroups(pid)
                .flatMap(cgroups -> cgroups.in(hierarchy.name()))
                .filter(path -> means(path, hierarchy, directory))
                .isPresent());
  }

  /**
   * A name that is no text is not compared: what is below the one above it is the job's too. So is
   * a process in a threaded cgroup, which the kernel lists in one above it.
   */
  private static boolean means(String path, Hierarchy hierarchy, CgroupDirectory directory) {
    String wanted = hierarchy.pathOf(directory.nearestText());
    return path.equals(wanted) || path.startsWith(wanted + "/");
  }
}
