package dev.rollcall.agent.outside;

import dev.rollcall.port.Processes.Seen;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The kind of a place outside of jobs, by systemd's names of units. */
enum UnitKind {
  /** A unit of the user's own systemd instance: systemd-run --user, a timer, a linger service. */
  USER_SERVICE,
  /** The user's own systemd instance itself. */
  USER_MANAGER,
  /** Below a service of the machine that begins programs for users later: cron, at. */
  SCHEDULER,
  /** Anywhere else: a session that was let in without a job, su, a daemon's child. */
  ELSEWHERE;

  /** By the first such unit: below it the user gives the names. */
  private static final Pattern USER_UNIT = Pattern.compile("(?:|.*?/)user@[0-9]+\\.service(/.*)?");

  private static final int SYSTEMS_INSTANCE = 1;

  /** A child of the instance that only forks, and closes the PAM session of its unit. */
  private static final String PAM_CHILD = "(sd-pam)";

  /**
   * Of a process that stays. The user may move it to where the instance is, which is the process of
   * the machine's own instance: no other has that parent there.
   */
  static UnitKind ofStaying(Seen process) {
    UnitKind place = of(process.cgroup());
    return place == USER_MANAGER && process.parent() != SYSTEMS_INSTANCE ? USER_SERVICE : place;
  }

  /** Whether it calls itself as the instance's child does. Any program that begins can. */
  static boolean isCalledAsPamChild(Seen process) {
    return process.command().equals(PAM_CHILD);
  }

  /**
   * For a moment also a program of a user's unit, or one that the instance runs at its start, is
   * where the instance is.
   */
  static UnitKind of(String cgroup) {
    Matcher unit = USER_UNIT.matcher(cgroup);
    if (unit.matches()) {
      @Nullable String below = unit.group(1);
      return below == null || below.equals("/init.scope") ? USER_MANAGER : USER_SERVICE;
    }
    return Origins.byUnit(cgroup).isPresent() ? SCHEDULER : ELSEWHERE;
  }
}
