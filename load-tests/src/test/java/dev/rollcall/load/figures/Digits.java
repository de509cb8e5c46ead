package dev.rollcall.load.figures;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Writes numbers as the pages have them. */
final class Digits {
  private Digits() {}

  /** A whole number, with a comma before each three digits. */
  static String whole(double value) {
    return fixed(value, 0);
  }

  static String fixed(double value, int decimals) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
    return String.format(Locale.ROOT, "%,." + decimals + "f", rounded);
  }

  /**
   * So many significant digits: with two, {@code 0.40}, {@code 6.4}, {@code 11} and {@code 110}.
   */
  static String significant(double value, int digits) {
    if (value == 0) {
      return "0";
    }
    BigDecimal rounded =
        BigDecimal.valueOf(value).round(new MathContext(digits, RoundingMode.HALF_UP));
    int whole = rounded.precision() - rounded.scale();
    return fixed(rounded.doubleValue(), Math.max(0, digits - whole));
  }

  /** How many times as long: one decimal below 30, none above. */
  static String ratio(double value) {
    return fixed(value, value < 30 ? 1 : 0);
  }
}
