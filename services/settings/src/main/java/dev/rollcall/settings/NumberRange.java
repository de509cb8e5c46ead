package dev.rollcall.settings;

import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Numbers in the brackets of a host list, {@code 01-18}.
 *
 * @param width digits that each has at least: shorter ones begin with zeros
 */
record NumberRange(long low, long high, int width) {
  /** Any number of so many digits fits into a long. */
  static final int MOST_DIGITS = 18;

  private static final Pattern FORM =
      Pattern.compile("[0-9]{1,%1$d}(-[0-9]{1,%1$d})?".formatted(MOST_DIGITS));

  /**
   * Reads a number or two.
   *
   * @throws IllegalArgumentException if it is something else, or the second number is less, or has
   *     zeros of its own
   */
  static NumberRange parse(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'" + HostPattern.shortened(text) + "' is neither a number nor a range such as 01-18");
    }
    int dash = text.indexOf('-');
    String first = dash < 0 ? text : text.substring(0, dash);
    String last = dash < 0 ? text : text.substring(dash + 1);
    if (last.startsWith("0") && last.length() > 1 && last.length() != first.length()) {
      throw new IllegalArgumentException(
          "the ends of '" + text + "' must have the same number of digits");
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
