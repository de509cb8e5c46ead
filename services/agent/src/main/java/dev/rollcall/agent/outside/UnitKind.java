package dev.rollcall.agent.outside;

import java.util.regex.Pattern;

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

  private static final Pattern USER_UNIT = Pattern.compile("(^|.*/)user@[0-9]+\\.service(/.*)?");
  private static final Pattern MANAGER =
      Pattern.compile("(^|.*/)user@[0-9]+\\.service(/init\\.scope)?");

  static UnitKind of(String cgroup) {
    if (MANAGER.matcher(cgroup).matches()) {
      return USER_MANAGER;
    }
    if (USER_UNIT.matcher(cgroup).matches()) {
      return USER_SERVICE;
    }
    return Origins.byUnit(cgroup).isPresent() ? SCHEDULER : ELSEWHERE;
  }
}
