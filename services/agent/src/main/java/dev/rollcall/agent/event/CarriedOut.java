package dev.rollcall.agent.event;

/** What came of carrying a decision out. */
public sealed interface CarriedOut {
  record Done(DoorAnswer answer) implements CarriedOut {}

  /**
   * The job stopped taking sessions after it was decided on: decide again.
   *
   * @param reason for people
   */
  record JobNotOpen(String reason) implements CarriedOut {}
}
