package dev.rollcall.testkit.process;

import java.time.Duration;

/**
 * Scales the time limits of tests. {@code rollcall.patience} is the factor on an emulated
 * processor.
 */
public final class Patience {
  private static final int TIMES = Integer.getInteger("rollcall.patience", 1);

  private Patience() {}

  /** Whether the processor is slow, so that what starts together hinders each other. */
  public static boolean isLonger() {
    return TIMES > 1;
  }

  public static Duration ofSeconds(int seconds) {
    return Duration.ofSeconds((long) seconds * TIMES);
  }
}
