package dev.rollcall.lab.soak;

import java.util.Locale;

/** The attacks of a soak: by a user on a node, or by root of a node at a gateway. */
enum AttackKind {
  PARTIAL_FRAMES,
  EMPTY_FRAMES,
  UNKNOWN_METHODS,
  GROUPS,
  CROWD,
  QUESTIONS,
  LARGE_ANNOUNCEMENT,
  LARGE_VERSION,
  TIME_OUT_OF_RANGE,
  MANY_PROCESSES,
  FOREIGN_ADDRESS;

  /** Whether it is a node's, at a gateway, and not a user's, at an agent. */
  boolean isOfNode() {
    return switch (this) {
      case LARGE_ANNOUNCEMENT, LARGE_VERSION, TIME_OUT_OF_RANGE, MANY_PROCESSES, FOREIGN_ADDRESS ->
          true;
      default -> false;
    };
  }

  /** As hostile.py names it. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
