package dev.rollcall.jobs.own;

import java.time.Duration;

/**
 * The time that the processes of an ending job have left, by {@link System#nanoTime}.
 *
 * @param sessionsAt when its sessions get SIGTERM although steps still run
 * @param killAt when all get SIGKILL
 */
record Grace(long sessionsAt, long killAt) {
  /** Sessions get at most half of the grace, and no more than this, if the steps do not end. */
  private static final Duration OF_SESSIONS = Duration.ofSeconds(5);

  /** A grace of this length, which starts now. */
  static Grace of(Duration length) {
    long killAt = System.nanoTime() + length.toNanos();
    return new Grace(killAt - Math.min(OF_SESSIONS.toNanos(), length.toNanos() / 2), killAt);
  }

  /** Zero once the processes are to be killed. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, killAt - System.nanoTime()));
  }

  /** The time since the processes were to be killed. */
  Duration overdue() {
    return Duration.ofNanos(Math.max(0, System.nanoTime() - killAt));
  }

  /** Whether sessions no longer wait for steps. */
  boolean isForSessions() {
    return System.nanoTime() - sessionsAt >= 0;
  }
}
