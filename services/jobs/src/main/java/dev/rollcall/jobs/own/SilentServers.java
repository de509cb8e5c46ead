package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Standstill;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.mount.FuseConnections;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Aborts connections of FUSE file systems that hold killed processes of a job. SIGKILL does not
 * reach a process that waits for a server which has read its request (fs/fuse/dev.c,
 * request_wait_answer), and the server may run outside of the job. Only connections of the job's
 * owner are aborted, and only those whose server has left a request without an answer for a second.
 */
final class SilentServers {
  private static final System.Logger LOG = System.getLogger(SilentServers.class.getName());

  /** A server that works has no request to answer at some moment of this time. */
  private static final Duration SILENT = Duration.ofSeconds(1);

  private static final int MOST_NAMED = 20;

  private final Proc procfs;
  private final IntUnaryOperator owners;
  private final AtomicLong aborted = new AtomicLong();

  /**
   * @param owners maps a subordinate uid to its owner, and another uid to itself
   */
  SilentServers(Proc procfs, IntUnaryOperator owners) {
    this.procfs = procfs;
    this.owners = owners;
  }

  long aborted() {
    return aborted.get();
  }

  /**
   * Aborts all such connections, if a process is held: it may wait for any of them. Returns after a
   * second if there is one, else at once.
   *
   * @param killed pids of processes of the job, which were killed before
   */
  void abort(Job job, Collection<Integer> killed) throws IOException {
    Optional<Integer> held =
        job.uid() == 0 ? Optional.empty() : killed.stream().filter(procfs::sleeps).findFirst();
    if (held.isEmpty()) {
      return;
    }
    Optional<FuseConnections> opened = FuseConnections.open();
    if (opened.isPresent()) {
      try (FuseConnections connections = opened.get()) {
        abort(connections, job, held.get());
      }
    }
  }

  /** Whether a server of the job's owner leaves a request without an answer for a second. */
  boolean areThere(Job job) throws IOException {
    Optional<FuseConnections> opened = FuseConnections.open();
    if (opened.isEmpty()) {
      return false;
    }
    try (FuseConnections connections = opened.get()) {
      return !silent(connections, job).isEmpty();
    }
  }

  private Set<Integer> silent(FuseConnections connections, Job job) throws IOException {
    IntPredicate theirs = uid -> uid != 0 && owners.applyAsInt(uid) == job.uid();
    Set<Integer> silent = connections.waiting(theirs);
    BoundedWait patience = BoundedWait.of(SILENT);
    while (!silent.isEmpty() && patience.pause()) {
      silent.retainAll(connections.waiting(theirs));
    }
    return silent;
  }

  private void abort(FuseConnections connections, Job job, int held) throws IOException {
    Set<Integer> silent = silent(connections, job);
    if (silent.isEmpty()) {
      return;
    }
    String named = new Standstill(procfs).unfrozen(Set.of(held));
    List<Integer> gone = new ArrayList<>();
    for (int number : silent) {
      if (connections.abort(number)) {
        gone.add(number);
      }
    }
    if (!gone.isEmpty()) {
      aborted.addAndGet(gone.size());
      LOG.log(
          WARNING,
          "end job {0}: {1} does not end, and the servers of {2} FUSE connections of user {3} do"
              + " not answer: the connections are aborted, the first ones are {4}",
          job.id(),
          named,
          Integer.toString(gone.size()),
          Integer.toString(job.uid()),
          gone.subList(0, Math.min(gone.size(), MOST_NAMED)));
    }
  }
}
