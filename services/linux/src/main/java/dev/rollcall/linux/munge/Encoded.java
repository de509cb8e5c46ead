package dev.rollcall.linux.munge;

/** The result of requesting a credential. */
public sealed interface Encoded {
  /**
   * @param text one line of printable characters
   */
  record Credential(String text) implements Encoded {}

  /**
   * There is no libmunge here, or munged did not answer.
   *
   * @param reason naming the library or the socket
   */
  record Unavailable(String reason) implements Encoded {}
}
