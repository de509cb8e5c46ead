package dev.rollcall.agent.login.adopt;

/**
 * The site's rule for sessions of jobs whose mounts belong to a user namespace of the job's user.
 * Root does not go there, so sshd cannot: the session has to, when its privileges are dropped.
 */
public enum UserNamespaceSessions {
  REFUSE,
  /** sshd_config has {@code ForceCommand .../rollcall-enter --session}, which takes them in. */
  FORCE_COMMAND
}
