package dev.rollcall.cli.text;

import com.google.protobuf.Timestamp;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** Turns single values of the wire into text for people and JSON alike. */
public final class Values {
  private static final DateTimeFormatter CLOCK =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private Values() {}

  /** ISO-8601 in UTC for JSON, or empty for a time that was not sent. */
  public static String time(Timestamp time) {
    return time.equals(Timestamp.getDefaultInstance())
        ? ""
        : Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString();
  }

  /** The same for people, to the millisecond. */
  public static String clock(Timestamp time) {
    return time.equals(Timestamp.getDefaultInstance())
        ? ""
        : CLOCK.format(Instant.ofEpochSecond(time.getSeconds(), time.getNanos()));
  }

  /** A message with its reason, if there is one. */
  public static String because(String message, String reason) {
    return reason.isEmpty() ? message : message + ": " + reason;
  }

  /** {@code JOB_STATE_OPEN} as {@code open}. */
  public static String state(Enum<?> value, String prefix) {
    return value.name().replaceFirst("^" + prefix, "").toLowerCase(Locale.ROOT);
  }
}
