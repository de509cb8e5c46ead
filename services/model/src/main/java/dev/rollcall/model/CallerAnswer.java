package dev.rollcall.model;

/** The result of a query for a caller. "Nobody knows" and "could not ask" are different answers. */
public sealed interface CallerAnswer {
  record Found(Caller caller) implements CallerAnswer {}

  /**
   * The node that could know the caller was asked, and does not know it.
   *
   * @param reason for people
   */
  record Unknown(String reason) implements CallerAnswer {}

  /**
   * The node that could know the caller did not answer within the deadline.
   *
   * @param reason for people: who, and why
   */
  record Unreachable(String reason) implements CallerAnswer {}
}
