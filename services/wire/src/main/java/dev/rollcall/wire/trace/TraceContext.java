package dev.rollcall.wire.trace;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of a trace and of one of its spans: what W3C's header {@code traceparent} says.
 *
 * @param trace 32 hex digits, not all of them 0
 * @param span 16, likewise
 */
record TraceContext(String trace, String span) {
  /** A version after 00 may have more behind it. */
  private static final Pattern TEXT =
      Pattern.compile(
          "(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  private static final String VERSION = "00";
  private static final int LONGEST = 512;
  private static final int RECORDED = 1;

  /** A trace that begins here. */
  static TraceContext fresh() {
    return new TraceContext(hex() + hex(), hex());
  }

  /** Of what another process says; absent if it is none, or is one that nobody records. */
  static Optional<TraceContext> parse(String text) {
    Matcher said = TEXT.matcher(text.length() > LONGEST ? "" : text);
    boolean recorded =
        said.matches()
            && (said.group(5) == null || !said.group(1).equals(VERSION))
            && (Integer.parseInt(said.group(4), 16) & RECORDED) != 0;
    return recorded
        ? Optional.of(new TraceContext(said.group(2), said.group(3)))
        : Optional.empty();
  }

  /** Another span of the trace. */
  TraceContext another() {
    return new TraceContext(trace, hex());
  }

  /** The header's text. */
  String text() {
    return VERSION + "-" + trace + "-" + span + "-01";
  }

  /** 16 digits, of which one is not 0. */
  private static String hex() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong() | 1);
  }
}
