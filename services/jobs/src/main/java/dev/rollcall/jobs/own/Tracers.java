package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * Ends tracers that hold killed processes of a job. With PTRACE_O_TRACEEXIT a process stops on its
 * way out, and neither SIGKILL nor the kernel's kill of a cgroup ends that stop, ptrace(2): only
 * its tracer does, or the tracer's end. The tracing continues when the tracer becomes another user.
 * So a tracer is ended if the job's owner started it: its real uid is the owner's or a subordinate
 * one of theirs, or it is in a job of this owner, like a setuid program that has changed its real
 * uid. Jobs of root have no such tracers.
 *
 * @param owners maps a subordinate uid to its owner, and another uid to itself
 * @param jobUid the owner of the job that a process is in; empty: it is in none
 */
record Tracers(
    Proc procfs, IntUnaryOperator owners, Function<PinnedProcess, Optional<Integer>> jobUid) {
  private static final System.Logger LOG = System.getLogger(Tracers.class.getName());

  /** A tracer may be held by another one, and so on. */
  private static final int MOST = 1_000;

  /** Ends what holds these processes of the job, which were killed before. */
  void end(Job job, Collection<Integer> killed) throws IOException {
    if (job.uid() == 0) {
      return;
    }
    Deque<Integer> held = new ArrayDeque<>(killed);
    Set<Integer> ended = new HashSet<>();
    while (!held.isEmpty() && ended.size() < MOST) {
      int pid = held.remove();
      for (int tracer : procfs.holders(pid)) {
        if (ended.add(tracer) && end(job, tracer, pid)) {
          held.add(tracer);
        }
      }
    }
  }

  private boolean end(Job job, int tracer, int held) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(procfs, tracer);
    if (pinned.isEmpty()) {
      return false;
    }
    try (Pidfd process = pinned.get()) {
      boolean theirs = isOf(job.uid(), process) && procfs.holders(held).contains(tracer);
      if (theirs && process.alive() && process.signal(Signals.SIGKILL)) {
        LOG.log(
            WARNING,
            "end job {0}: process {1} does not end, as process {2} of user {3} traces it: killed"
                + " too",
            job.id(),
            Integer.toString(held),
            Integer.toString(tracer),
            Integer.toUnsignedString(job.uid()));
        return true;
      }
      return false;
    }
  }

  private boolean isOf(int owner, Pidfd process) {
    return procfs
            .status(process.ref().pid())
            .filter(its -> owners.applyAsInt(its.realUid()) == owner)
            .isPresent()
        || jobUid.apply(process).equals(Optional.of(owner));
  }
}
