package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Census;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Ends the logins that Slurm has frozen on their way into a job. Slurm freezes without waiting for
 * anybody, so the PAM module may enter a job that was frozen since it looked. sshd stands still
 * there, cannot keep its own deadline, and its user would wait for as long as the job is suspended.
 * Of a job's processes the first {@link Census#MOST} are looked at.
 *
 * <p>Such a process is sshd's (sshd-session from OpenSSH 9.8 on), runs as root, and has no child
 * that is the owner's: those of sessions have one.
 */
final class LoginsInFreeze {
  private static final System.Logger LOG = System.getLogger(LoginsInFreeze.class.getName());
  private static final String SSHD = "sshd";
  private static final String FREEZER = "freezer";
  private static final String TOP = "/";
  private static final int ROOT = 0;
  private static final int SIGKILL = 9;

  /** A process that was killed may be seen once more before it is dead. */
  private static final int REMEMBERED = 256;

  private final SlurmCgroups cgroups;
  private final Proc procfs;
  private final SlurmCounts counts;
  private final RecentProcesses killed = new RecentProcesses(REMEMBERED);

  LoginsInFreeze(SlurmCgroups cgroups, Proc procfs, SlurmCounts counts) {
    this.cgroups = cgroups;
    this.procfs = procfs;
    this.counts = counts;
  }

  /** Under the lock of the job, which is frozen. */
  void end(SlurmJob job) {
    try {
      for (int pid : underWay(job)) {
        Optional<Pidfd> process = Pidfd.open(procfs, pid);
        if (process.isPresent()) {
          try (Pidfd its = process.get()) {
            end(its, job.id());
          }
        }
      }
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot end logins in job {0}, which is suspended: {1}",
          job.id(),
          e.getMessage());
    }
  }

  private List<Integer> underWay(SlurmJob job) throws IOException {
    Optional<Placement.Placed> place = cgroups.place(job.id());
    Optional<CgroupDirectory> users =
        place.flatMap(its -> cgroups.at(its.hierarchy(), its.users()));
    if (users.isEmpty()) {
      return List.of();
    }
    List<Integer> logins = new ArrayList<>();
    Set<Integer> sessions = new HashSet<>();
    for (int pid : users.get().pidsBelow(Census.MOST)) {
      if (procfs.isOf(job.job().uid(), pid)) {
        procfs.parent(pid).ifPresent(sessions::add);
      } else if (procfs.isOf(ROOT, pid) && procfs.command(pid).startsWith(SSHD)) {
        logins.add(pid);
      }
    }
    logins.removeAll(sessions);
    return logins;
  }

  private void end(Pidfd process, JobId job) throws IOException {
    Optional<ProcessCgroups> its = procfs.cgroups(process);
    boolean inJob = its.flatMap(cgroups::stepOf).filter(step -> step.job().equals(job)).isPresent();
    if (!inJob || !killed.add(process.ref()) || !process.signal(SIGKILL)) {
      return;
    }
    counts.frozenLogins.increment();
    LOG.log(
        WARNING,
        "job {0} is suspended: process {1} of a login in progress is killed",
        job,
        Integer.toString(process.ref().pid()));
    leaveFreezer(process, its.get());
  }

  /** The v1 freezer keeps a process from dying (freezer-subsystem.rst), and its pid from reuse. */
  private void leaveFreezer(Pidfd process, ProcessCgroups its) throws IOException {
    if (its.in(FREEZER).isPresent()) {
      Optional<CgroupDirectory> top = cgroups.at(FREEZER, TOP);
      if (top.isPresent()) {
        top.get().add(process.ref().pid());
      }
    }
  }
}
