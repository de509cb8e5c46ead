package dev.rollcall.lab.demo;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The result of a scene.
 *
 * @param ok whether what was seen is what was expected
 * @param millis of the slowest session, or of whatever else the scene times
 */
public record Outcome(boolean ok, String expected, String seen, long millis) {
  static Outcome compare(String expected, String seen, long millis) {
    return new Outcome(expected.equals(seen), expected, seen, millis);
  }

  /** Compares the places of visits, in order. */
  static Outcome places(String expected, Visit... visits) {
    String seen = Arrays.stream(visits).map(Outcome::seen).collect(Collectors.joining(", "));
    return compare(expected, seen, slowest(visits));
  }

  /** The same, of a scene in which logins were told to try again so many times before. */
  Outcome afterRefusals(int refusals) {
    return new Outcome(
        ok, expected, "%s (after %d asked to try again)".formatted(seen, refusals), millis);
  }

  static long slowest(Visit... visits) {
    return Arrays.stream(visits).mapToLong(Visit::millis).max().orElse(0);
  }

  private static String seen(Visit visit) {
    return visit.place() + (visit.place().equals("refused") ? ": " + visit.said() : "");
  }
}
