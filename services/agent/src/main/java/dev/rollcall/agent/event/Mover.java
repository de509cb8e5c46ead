package dev.rollcall.agent.event;

/** Which process moves a session into its job. */
public enum Mover {
  AGENT,
  /** The PAM module, which is the session's own process: the outcome may be Join. */
  MODULE,
  /** The agent, because the module could not carry out a Join. */
  AGENT_INSTEAD
}
