package dev.rollcall.cli;

import com.google.protobuf.Timestamp;
import java.time.Instant;
import java.util.Locale;

/** Turns single values of the wire into text for people and JSON alike. */
final class Values {
  private Values() {}

  /** ISO-8601 in UTC, or empty for a time that was not told. */
  static String time(Timestamp time) {
    return time.equals(Timestamp.getDefaultInstance())
        ? ""
        : Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString();
  }

  /** {@code JOB_STATE_OPEN} as {@code open}. */
  static String state(Enum<?> value, String prefix) {
    return value.name().replaceFirst("^" + prefix, "").toLowerCase(Locale.ROOT);
  }
}
