package dev.rollcall.settings;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Numbers in the brackets of a host list, {@code 01-18}.
 *
 * @param width digits that each has at least: shorter ones begin with zeros
 */
record NumberRange(long low, long high, int width) {
  /**
   * Reads a number or two, of at most 18 digits each.
   *
   * @throws IllegalArgumentException if the second is less, or has zeros of its own
   */
  static NumberRange parse(String text) {
    int dash = text.indexOf('-');
    String first = dash < 0 ? text : text.substring(0, dash);
    String last = dash < 0 ? text : text.substring(dash + 1);
    if (last.startsWith("0") && last.length() > 1 && last.length() != first.length()) {
      throw new IllegalArgumentException("'" + text + "' has two numbers of digits");
    }
    var range = new NumberRange(Long.parseLong(first), Long.parseLong(last), first.length());
    if (range.low > range.high) {
      throw new IllegalArgumentException("'" + text + "' goes down");
    }
    return range;
  }

  long size() {
    return high - low + 1;
  }

  boolean contains(String digits) {
    long number = Long.parseLong(digits);
    return number >= low && number <= high && text(number).equals(digits);
  }

  /** All of them, with their zeros. */
  Stream<String> texts() {
    return LongStream.rangeClosed(low, high).mapToObj(this::text);
  }

  private String text(long number) {
    return padded(number, width);
  }

  static String padded(long number, int width) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }
}
