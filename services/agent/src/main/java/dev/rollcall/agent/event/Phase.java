package dev.rollcall.agent.event;

/** The PAM phase from which the module asks. */
public enum Phase {
  ACCOUNT,
  OPEN_SESSION,
  CLOSE_SESSION,
  /**
   * The agent's own practice before it is ready: as ACCOUNT, of a uid that nobody has. It is
   * neither counted nor told.
   */
  WARM_UP
}
