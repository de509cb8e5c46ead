package dev.rollcall.cli.doctor;

/**
 * The result of one check.
 *
 * @param id stays the same from version to version: {@code pam.account}
 * @param says of what was looked at
 * @param remedy empty if there is nothing to do
 */
public record Finding(String id, State state, String says, String remedy) {
  /** From the best to the worst. */
  public enum State {
    GOOD,
    /** It was not looked at; the text says why. */
    UNSEEN,
    WARNING,
    BAD;

    public String word() {
      return switch (this) {
        case GOOD -> "good";
        case UNSEEN -> "not looked at";
        case WARNING -> "warning";
        case BAD -> "bad";
      };
    }
  }

  static Finding good(String id, String says) {
    return new Finding(id, State.GOOD, says, "");
  }

  static Finding unseen(String id, String why) {
    return new Finding(id, State.UNSEEN, why, "");
  }

  static Finding warning(String id, String says, String remedy) {
    return new Finding(id, State.WARNING, says, remedy);
  }

  static Finding bad(String id, String says, String remedy) {
    return new Finding(id, State.BAD, says, remedy);
  }
}
