package dev.rollcall.jobs.slurm;

import java.util.concurrent.atomic.LongAdder;

/** Counts of the exchange between this node and Slurm since the start, with the current error. */
public final class SlurmCounts {
  final LongAdder byRequest = new LongAdder();
  final LongAdder byWriting = new LongAdder();
  final LongAdder reported = new LongAdder();
  final LongAdder unreported = new LongAdder();
  final LongAdder ended = new LongAdder();
  final LongAdder frozenLogins = new LongAdder();
  final LongAdder silent = new LongAdder();
  final LongAdder unknownLayouts = new LongAdder();
  volatile long foreignSockets;
  volatile boolean spoolUnreadable;

  SlurmCounts() {}

  /** Processes that a step daemon took in. */
  public long byRequest() {
    return byRequest.sum();
  }

  /** Processes that were moved by writing cgroup.procs, since a step daemon did not answer. */
  public long byWriting() {
    return byWriting.sum();
  }

  /** Sessions that the PAM module or the agent moved, and that a step daemon was told of then. */
  public long reported() {
    return reported.sum();
  }

  /** Such sessions that a step daemon could not be told of: Slurm does not account for them. */
  public long unreported() {
    return unreported.sum();
  }

  /** Such sessions that were killed, since their job's step had ended. */
  public long ended() {
    return ended.sum();
  }

  /** Processes of logins that were killed, since their job was frozen before they were sessions. */
  public long frozenLogins() {
    return frozenLogins.sum();
  }

  /** Questions that a step daemon did not answer in time, or refused. */
  public long silent() {
    return silent.sum();
  }

  /** Jobs whose cgroups have no known layout. */
  public long unknownLayouts() {
    return unknownLayouts.sum();
  }

  /** 1 if the spool directory does not exist or cannot be listed, else 0. */
  public int spoolUnreadable() {
    return spoolUnreadable ? 1 : 0;
  }

  /** Sockets of steps that are named after another node, now. */
  public long foreignSockets() {
    return foreignSockets;
  }
}
