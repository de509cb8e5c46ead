package dev.rollcall.model;

/** The state of a job on one node. It only ever moves forward, but for OPEN and SUSPENDED. */
public enum JobState implements Worded {
  /** Known, but its prolog has not ended: no session may enter yet. */
  BEGINNING,
  OPEN,
  /** Frozen: nothing is moved into it. */
  SUSPENDED,
  /** Its processes are being killed: nothing enters any more. */
  CLOSING,
  CLOSED
}
