package dev.rollcall.lab.scenario;

/** How often a test does what it does: fewer times by default than the full count. */
public final class Counts {
  private Counts() {}

  public static int of(String what, int byDefault, int full) {
    int count = "full".equals(System.getProperty("rollcall.counts")) ? full : byDefault;
    System.out.printf("[counts] %s: %d of %d%n", what, count, full);
    return count;
  }
}
