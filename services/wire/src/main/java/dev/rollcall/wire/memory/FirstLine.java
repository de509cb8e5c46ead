package dev.rollcall.wire.memory;

import java.lang.System.Logger.Level;

/**
 * Whether this process counts what its peers hold. Tests of the other lines of defence start a
 * process without it, by {@code -Drollcall.test.first_line=off}; nothing else may.
 */
public final class FirstLine {
  private static final String PROPERTY = "rollcall.test.first_line";
  private static final boolean OFF = "off".equals(System.getProperty(PROPERTY));

  static {
    if (OFF) {
      System.getLogger(FirstLine.class.getName())
          .log(
              Level.WARNING,
              "{0}=off: this process does not count the memory of its peers, and any of them can"
                  + " fill it",
              PROPERTY);
    }
  }

  private FirstLine() {}

  public static boolean isOff() {
    return OFF;
  }
}
