package dev.rollcall.model.allocation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes or of processes, in the notation of people. */
public record Amount(long number) {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,18})([KMGT]?)");
  private static final int BITS_A_UNIT = 10;

  /**
   * Reads a number with K, M, G or T for powers of 1024, or {@code max} for no bound.
   *
   * @throws IllegalArgumentException naming the text
   */
  public static Amount parse(String text) {
    if (text.equals("max")) {
      return new Amount(Limits.UNLIMITED);
    }
    Matcher found = FORM.matcher(text);
    if (found.matches()) {
      int shift = BITS_A_UNIT * " KMGT".indexOf((found.group(2) + " ").charAt(0));
      long number = Long.parseLong(found.group(1));
      if (number <= Long.MAX_VALUE >> shift) {
        return new Amount(number << shift);
      }
    }
    throw new IllegalArgumentException("'" + text + "' is neither a number such as 4G nor max");
  }
}
