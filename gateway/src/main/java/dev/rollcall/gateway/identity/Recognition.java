package dev.rollcall.gateway.identity;

/** What came of looking at a peer. */
public sealed interface Recognition {
  record Known(Identity identity) implements Recognition {}

  /**
   * @param reason naming the certificate and what is wrong with it
   */
  record Refused(String reason) implements Recognition {}
}
