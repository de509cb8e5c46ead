package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.Leaves;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the logins of a job that are under way: sshd was adopted and has not yet become anybody's
 * session. Nothing in its leaf is the owner's then, and sshd (sshd-session from OpenSSH 9.8 on)
 * runs there as root. It must not be frozen: it could not keep its own deadline, and the user would
 * wait for as long as the job is suspended. The same applies to one that is closing.
 */
record LoginsUnderWay(Leaves leaves, Proc procfs) {
  private static final String SSHD = "sshd";

  /** A process of a login, and where it is. */
  record UnderWay(int pid, CgroupDirectory leaf) {}

  List<UnderWay> underWay(Job job) throws IOException {
    List<UnderWay> found = new ArrayList<>();
    for (CgroupDirectory leaf : leaves.sessions(job.id())) {
      List<Integer> pids = leaf.pidsBelow();
      boolean settled = pids.stream().anyMatch(pid -> procfs.isOf(job.uid(), pid));
      if (!settled && pids.stream().anyMatch(pid -> procfs.command(pid).startsWith(SSHD))) {
        pids.forEach(pid -> found.add(new UnderWay(pid, leaf)));
      }
    }
    return found;
  }
}
