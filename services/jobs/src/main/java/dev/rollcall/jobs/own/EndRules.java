package dev.rollcall.jobs.own;

import java.util.Optional;

/**
 * The site's rules for the end of sessions and jobs.
 *
 * @param sessions what happens to the processes of closed sessions
 * @param signal which processes get SIGTERM when a job ends
 * @param oomKill which processes end when the kernel kills one because memory is short
 * @param unkillable runs for jobs whose processes do not end by SIGKILL
 */
public record EndRules(
    SessionEnd sessions,
    EndSignal signal,
    OomKill oomKill,
    Optional<UnkillableProgram> unkillable) {
  public static final EndRules DEFAULTS =
      new EndRules(SessionEnd.KEEP, EndSignal.ALL, OomKill.PROCESS, Optional.empty());
}
