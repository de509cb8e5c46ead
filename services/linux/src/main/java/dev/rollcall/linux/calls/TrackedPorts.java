package dev.rollcall.linux.calls;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Remote ports whose callers are pushed, such as {@code 22}, {@code 5000-5010}, or {@code 5000-5010
 * 50/s} with a rate of their own.
 *
 * @param first the lowest port
 * @param last the highest port
 * @param perSecond callers of one user that are pushed in a second on average; empty: the common
 *     rate, which all ports without their own rate share
 */
public record TrackedPorts(int first, int last, OptionalInt perSecond) {
  /** Ports of all entries together. */
  public static final int MOST_PORTS = 1024;

  /** Own rates of all entries together, because the kernel remembers pushed callers by them. */
  public static final int MOST_PER_SECOND = 128;

  private static final int LARGEST_PORT = 65_535;
  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?(?: +([0-9]{1,4})/s)?");

  public TrackedPorts {
    if (first < 1 || first > last || last > LARGEST_PORT) {
      throw new IllegalArgumentException(
          "'%s' is not a port, or a range of ports, from 1 to %d"
              .formatted(text(first, last), LARGEST_PORT));
    }
    if (perSecond.isPresent()
        && (perSecond.getAsInt() < 1 || perSecond.getAsInt() > MOST_PER_SECOND)) {
      throw new IllegalArgumentException(
          "%d/s is not a rate from 1/s to %d/s".formatted(perSecond.getAsInt(), MOST_PER_SECOND));
    }
  }

  /**
   * Reads an entry of the configuration.
   *
   * @throws IllegalArgumentException naming the text
   */
  public static TrackedPorts parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a port such as 22, or ports such as 5000-5010 or 5000-5010 50/s");
    }
    int first = Integer.parseInt(matcher.group(1));
    int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
    return new TrackedPorts(
        first,
        last,
        matcher.group(3) == null
            ? OptionalInt.empty()
            : OptionalInt.of(Integer.parseInt(matcher.group(3))));
  }

  /** One port at the common rate. */
  public static TrackedPorts of(int port) {
    return new TrackedPorts(port, port, OptionalInt.empty());
  }

  /**
   * Checks entries that are used together.
   *
   * @throws IllegalArgumentException if a port is in two entries with different rates, or if there
   *     are too many ports or too high rates
   */
  public static void check(List<TrackedPorts> all) {
    Map<Integer, TrackedPorts> ports = new HashMap<>();
    for (TrackedPorts entry : all) {
      for (int port = entry.first; port <= entry.last; port++) {
        TrackedPorts other = ports.putIfAbsent(port, entry);
        if (other != null && (other.perSecond.isPresent() || entry.perSecond.isPresent())) {
          throw new IllegalArgumentException(
              "port %d is in '%s' and in '%s'".formatted(port, other, entry));
        }
      }
    }
    if (ports.size() > MOST_PORTS) {
      throw new IllegalArgumentException(
          "%d ports are too many: at most %d".formatted(ports.size(), MOST_PORTS));
    }
    if (ownRates(all) > MOST_PER_SECOND) {
      throw new IllegalArgumentException(
          "the rates are %d/s together: at most %d/s".formatted(ownRates(all), MOST_PER_SECOND));
    }
  }

  /** The sum of the rates of those entries that have their own. */
  static int ownRates(List<TrackedPorts> all) {
    return all.stream().mapToInt(entry -> entry.perSecond.orElse(0)).sum();
  }

  private static String text(int first, int last) {
    return first == last ? Integer.toString(first) : first + "-" + last;
  }

  @Override
  public String toString() {
    return text(first, last) + (perSecond.isPresent() ? " " + perSecond.getAsInt() + "/s" : "");
  }
}
