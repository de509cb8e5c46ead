package dev.rollcall.jobs.slurm;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts of the exchange between this node and Slurm since the start, with the current error. */
public final class SlurmCounts {
  /** Processes that a step daemon took in. */
  public final LongAdder byRequest = new LongAdder();

  /** Processes that were moved by writing cgroup.procs, since a step daemon did not answer. */
  public final LongAdder byWriting = new LongAdder();

  /** Sessions that the PAM module or the agent moved, and that were reported to a step daemon. */
  public final LongAdder reported = new LongAdder();

  /** Such sessions that could not be reported: Slurm does not account for them. */
  public final LongAdder unreported = new LongAdder();

  /** Such sessions that were killed, since their job's step had ended. */
  public final LongAdder ended = new LongAdder();

  /** Processes of logins that were killed, since their job was frozen before they were sessions. */
  public final LongAdder frozenLogins = new LongAdder();

  /** Questions that a step daemon did not answer in time, or refused. */
  public final LongAdder silent = new LongAdder();

  /** Jobs whose cgroups have no known layout, now. */
  public final AtomicInteger unknownLayouts = new AtomicInteger();

  /** Sockets of steps that are named after another node, now. */
  public final AtomicInteger foreignSockets = new AtomicInteger();

  /** 1 if the spool directory does not exist or cannot be listed, else 0. */
  public final AtomicInteger spoolUnreadable = new AtomicInteger();

  SlurmCounts() {}
}
