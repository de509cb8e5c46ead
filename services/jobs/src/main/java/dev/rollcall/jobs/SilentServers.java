package dev.rollcall.jobs;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Procfs;
import dev.rollcall.jobs.tree.Standstill;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.mount.FuseConnections;
import dev.rollcall.model.Job;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
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

  private final Procfs procfs;
  private final IntUnaryOperator owners;
  private final AtomicLong aborted = new AtomicLong();

  /**
   * @param owners maps a subordinate uid to its owner, and another uid to itself
   */
  SilentServers(Procfs procfs, IntUnaryOperator owners) {
    this.procfs = procfs;
    this.owners = owners;
  }

  long aborted() {
    return aborted.get();
  }

  /**
   * Aborts one connection, if a process is held and there is such a connection: it may have been
   * that one. Returns after a second if there is one, else at once.
   *
   * @param killed pids of processes of the job, which were killed before
   */
  void abortOne(Job job, Collection<Integer> killed) throws IOException {
    Optional<Integer> held =
        job.uid() == 0
            ? Optional.empty()
            : killed.stream().filter(procfs.proc()::sleeps).findFirst();
    if (held.isEmpty()) {
      return;
    }
    Optional<FuseConnections> opened = FuseConnections.open();
    if (opened.isPresent()) {
      try (FuseConnections connections = opened.get()) {
        abortOne(connections, job, held.get());
      }
    }
  }

  private void abortOne(FuseConnections connections, Job job, int held) throws IOException {
    IntPredicate theirs = uid -> uid != 0 && owners.applyAsInt(uid) == job.uid();
    Set<Integer> silent = connections.waiting(theirs);
    BoundedWait patience = BoundedWait.of(SILENT);
    while (!silent.isEmpty() && patience.pause()) {
      silent.retainAll(connections.waiting(theirs));
    }
    Iterator<Integer> first = silent.iterator();
    if (first.hasNext()) {
      int number = first.next();
      String named = new Standstill(procfs).unfrozen(Set.of(held));
      if (connections.abort(number)) {
        aborted.incrementAndGet();
        LOG.log(
            WARNING,
            "end job {0}: {1} does not end, and the server of FUSE connection {2} of user {3} does"
                + " not answer: the connection is aborted",
            job.id(),
            named,
            Integer.toString(number),
            Integer.toString(job.uid()));
      }
    }
  }
}
