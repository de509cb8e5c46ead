package dev.rollcall.agent.outside;

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

  static UnitKind of(String cgroup) {
    Matcher unit = USER_UNIT.matcher(cgroup);
    if (unit.matches()) {
      @Nullable String below = unit.group(1);
      return below == null || below.equals("/init.scope") ? USER_MANAGER : USER_SERVICE;
    }
    return Origins.byUnit(cgroup).isPresent() ? SCHEDULER : ELSEWHERE;
  }
}
