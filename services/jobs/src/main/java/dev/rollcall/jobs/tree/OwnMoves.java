package dev.rollcall.jobs.tree;

import dev.rollcall.model.ProcessRef;
import java.util.Optional;

/**
 * Reads the numbers of the sessions whose own processes enter their jobs. Such a number names the
 * process: 2^32 + start * 2^22 + pid, the start in clock ticks (services/pam/src/move.c). The
 * agent's own numbers are below.
 */
public final class OwnMoves {
  /** Pids end below 4,194,304 (PID_MAX_LIMIT, proc(5)). */
  private static final int PID_BITS = 22;

  private static final long FIRST = 1L << 32;

  private OwnMoves() {}

  /** Whether a session's number is one that its process gave itself. */
  public static boolean isNumber(long session) {
    return session >= FIRST;
  }

  /** The number under which a process moves itself. */
  public static long numberOf(ProcessRef process) {
    return FIRST + (process.startTime() << PID_BITS | process.pid());
  }

  /** The process that made the session's leaf; empty for a session that the agent began. */
  public static Optional<ProcessRef> processOf(long session) {
    long rest = session - FIRST;
    int pid = (int) (rest & ((1 << PID_BITS) - 1));
    return isNumber(session) && pid > 0
        ? Optional.of(new ProcessRef(pid, rest >> PID_BITS))
        : Optional.empty();
  }
}
