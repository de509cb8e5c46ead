package dev.rollcall.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes a host list of names: the last number of each is what may go into brackets. */
final class HostFold {
  private static final Pattern NUMBERED = Pattern.compile("(.*?)([0-9]{1,18})([^0-9]*)");
  private static final Comparator<String> BY_NUMBER =
      Comparator.<String>comparingLong(Long::parseLong).thenComparingInt(String::length);

  /** What stands around the number. */
  private record Around(String before, String after) implements Comparable<Around> {
    @Override
    public int compareTo(Around other) {
      int order = before.compareTo(other.before);
      return order == 0 ? after.compareTo(other.after) : order;
    }
  }

  private final Map<Around, TreeSet<String>> numbered = new TreeMap<>();
  private final TreeSet<String> others = new TreeSet<>();

  HostFold(Collection<String> names) {
    for (String name : names) {
      Matcher matcher = NUMBERED.matcher(name);
      if (matcher.matches()) {
        numbered
            .computeIfAbsent(
                new Around(matcher.group(1), matcher.group(3)), _ -> new TreeSet<>(BY_NUMBER))
            .add(matcher.group(2));
      } else {
        others.add(name);
      }
    }
  }

  String text() {
    var all = new StringJoiner(",");
    others.forEach(all::add);
    numbered.forEach((around, numbers) -> {
      boolean one = numbers.size() == 1;
      String inside = one ? numbers.getFirst() : "[" + ranges(numbers) + "]";
      all.add(around.before + inside + around.after);
    });
    return all.toString();
  }

  private static String ranges(SortedSet<String> numbers) {
    List<String> ranges = new ArrayList<>();
    String first = "";
    String last = "";
    for (String number : numbers) {
      if (!last.isEmpty() && follows(first, last, number)) {
        last = number;
      } else {
        add(ranges, first, last);
        first = number;
        last = number;
      }
    }
    add(ranges, first, last);
    return String.join(",", ranges);
  }

  /** Whether a range with the width of its first number says this one after the last. */
  private static boolean follows(String first, String last, String number) {
    return number.equals(NumberRange.padded(Long.parseLong(last) + 1, first.length()));
  }

  private static void add(List<String> ranges, String first, String last) {
    if (!first.isEmpty()) {
      ranges.add(first.equals(last) ? first : first + "-" + last);
    }
  }
}
