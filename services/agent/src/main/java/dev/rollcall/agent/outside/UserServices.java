package dev.rollcall.agent.outside;

/**
 * The site's rule for processes that a system service, such as cron, at or the user's systemd
 * instance, starts outside the user's jobs.
 */
public enum UserServices {
  /** It is moved into the user's newest job. */
  ADOPT,
  /** It is killed. */
  DENY,
  /** It stays. It is reported, as with the others. */
  REPORT
}
