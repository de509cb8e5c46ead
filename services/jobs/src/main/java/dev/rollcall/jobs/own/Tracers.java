package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.process.ProcessStatus;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Ends tracers that hold killed processes of a job. With PTRACE_O_TRACEEXIT a process stops on its
 * way out, and neither SIGKILL nor the kernel's kill of a cgroup ends that stop, ptrace(2): only
 * its tracer does, or the tracer's end. A tracer is ended if it is of the same user as what it
 * holds, by real and effective uid, and not root's.
 */
record Tracers(Proc procfs) {
  private static final System.Logger LOG = System.getLogger(Tracers.class.getName());

  /** A tracer may be held by another one, and so on. */
  private static final int MOST = 1_000;

  /** Ends what holds these processes, which were killed before. */
  void end(Collection<Integer> killed) throws IOException {
    Deque<Integer> held = new ArrayDeque<>(killed);
    Set<Integer> ended = new HashSet<>();
    while (!held.isEmpty() && ended.size() < MOST) {
      int pid = held.remove();
      for (int tracer : procfs.holders(pid)) {
        if (ended.add(tracer) && end(tracer, pid)) {
          held.add(tracer);
        }
      }
    }
  }

  private boolean end(int tracer, int held) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(procfs, tracer);
    if (pinned.isEmpty()) {
      return false;
    }
    try (Pidfd process = pinned.get()) {
      boolean same = sameUser(tracer, held) && procfs.holders(held).contains(tracer);
      if (same && process.alive() && process.signal(Signals.SIGKILL)) {
        LOG.log(
            WARNING,
            "process {0} does not end, as process {1} of the same user traces it: killed too",
            Integer.toString(held),
            Integer.toString(tracer));
        return true;
      }
      return false;
    }
  }

  private boolean sameUser(int tracer, int held) {
    Optional<ProcessStatus> its = procfs.status(tracer);
    Optional<Integer> owner = procfs.status(held).map(ProcessStatus::realUid);
    return owner.filter(uid -> uid != 0).isPresent()
        && its.map(ProcessStatus::realUid).equals(owner)
        && its.map(ProcessStatus::effectiveUid).equals(owner);
  }
}
