package dev.rollcall.testkit.count;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** How much a test does: less by default than with {@code ./rollcall test --full}. */
public final class Counts {
  /** By default one in so many. */
  private static final int ONE_IN = 3;

  private Counts() {}

  /** With {@code -Drollcall.counts=full}. */
  public static boolean areFull() {
    return "full".equals(System.getProperty("rollcall.counts"));
  }

  public static int of(int byDefault, int full) {
    return areFull() ? full : byDefault;
  }

  /** The same, and prints it. */
  public static int of(String what, int byDefault, int full) {
    int count = of(byDefault, full);
    System.out.printf("[counts] %s: %d of %d%n", what, count, full);
    return count;
  }

  /**
   * The numbers of those cases that a test tries, and prints them. By default it is every third,
   * from one of the first three at random.
   *
   * @param cases how many there are, numbered from 1
   */
  public static List<Integer> some(String what, int cases) {
    int step = of(ONE_IN, 1);
    int first = 1 + new Random().nextInt(Math.min(step, cases));
    List<Integer> some =
        IntStream.iterate(first, number -> number <= cases, number -> number + step)
            .boxed()
            .toList();
    System.out.printf("[counts] %s: %s of %d%n", what, some, cases);
    return some;
  }
}
