package dev.rollcall.agent.outside;

/**
 * What becomes of a process that a service of the machine began for a user who has jobs here, in
 * none of them: the user's own systemd instance, cron, at.
 */
public enum UserServices {
  /** It is moved into the user's newest job. */
  ADOPT,
  /** It is killed. */
  DENY,
  /** It stays. It is told, as it is with the others. */
  REPORT
}
