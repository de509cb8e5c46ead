package dev.rollcall.linux.munge;

/** The answer of munged about a credential. Only {@link Valid} proves anything. */
public sealed interface Decoded {
  /**
   * @param uid who made it; root of a node that has the key can make one of anybody's
   * @param payload as it was given to encode; what is not UTF-8 is not told as it is
   */
  record Valid(int uid, String payload) implements Decoded {}

  /** This machine's munged has seen it before. */
  record Replayed() implements Decoded {}

  /** Its time to live has passed. */
  record Expired() implements Decoded {}

  /** It was made in what is the future here: the clocks differ. */
  record Rewound() implements Decoded {}

  /** It is no credential, was made with another key, or is for others. */
  record Bad(String reason) implements Decoded {}

  /**
   * Nobody could say: no libmunge here, or munged did not answer.
   *
   * @param reason naming the library or the socket
   */
  record Unavailable(String reason) implements Decoded {}

  /** For people: why it proves nothing. */
  static String problem(Decoded decoded) {
    return switch (decoded) {
      case Valid _ -> throw new IllegalArgumentException("a valid credential has no problem");
      case Replayed() -> "the munge credential was used before";
      case Expired() -> "the munge credential has expired";
      case Rewound() -> "the munge credential is from the future: the clocks differ";
      case Bad(String reason) -> "the munge credential is not valid: " + reason;
      case Unavailable(String reason) -> reason;
    };
  }
}
