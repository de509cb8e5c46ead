package dev.rollcall.agent.event;

import dev.rollcall.model.Worded;

/** The PAM phase from which the module asks. */
public enum Phase implements Worded {
  ACCOUNT,
  OPEN_SESSION,
  CLOSE_SESSION,
  /**
   * The agent's own practice before it is ready: as ACCOUNT, of a uid that nobody has. It is
   * neither counted nor told.
   */
  WARM_UP
}
