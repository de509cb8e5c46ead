package dev.rollcall.wire.memory;

import java.util.Optional;

/**
 * What a process does at a share of its memory in use after a collection.
 *
 * @param refused the last kind of peers whose new connections and calls are refused; absent: none
 * @param closes whether connections are closed
 * @param ends whether the process ends, if that lasts
 */
record MemoryMarks(Optional<PeerKind> refused, boolean closes, boolean ends) {
  /** From here on garbage is collected to see how much really is in use. */
  static final double LOOK = 0.65;

  /** Below, nobody is refused any more. */
  static final double CALM = 0.70;

  static final double REFUSE_STRANGERS = 0.75;
  static final double REFUSE_USERS = 0.80;
  static final double CLOSE = 0.85;
  static final double END = 0.97;

  private static final MemoryMarks NONE = new MemoryMarks(Optional.empty(), false, false);

  /**
   * @param isShort whether anybody has been refused since memory was calm
   */
  static MemoryMarks at(double share, boolean isShort) {
    if (share >= CLOSE) {
      return new MemoryMarks(Optional.of(PeerKind.SERVICE), true, share >= END);
    }
    if (share >= REFUSE_USERS) {
      return refusing(PeerKind.USER);
    }
    return share >= REFUSE_STRANGERS || (isShort && share >= CALM)
        ? refusing(PeerKind.STRANGER)
        : NONE;
  }

  private static MemoryMarks refusing(PeerKind most) {
    return new MemoryMarks(Optional.of(most), false, false);
  }
}
