package dev.rollcall.model;

import java.util.Locale;

/** An enum whose constants are written outside as lower case words with dashes. */
public interface Worded {
  /** The constant's own, {@link Enum#name}. */
  String name();

  /** As it is written outside: {@code caller-job}. */
  default String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
