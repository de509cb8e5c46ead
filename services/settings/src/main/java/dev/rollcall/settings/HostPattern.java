package dev.rollcall.settings;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** One word of a host list: letters and lists of numbers, one after the other. */
final class HostPattern {
  private static final int LONGEST_SHOWN = 60;

  /** A part of a name. */
  private sealed interface Part {}

  private record Letters(String text) implements Part {}

  private record Numbers(List<NumberRange> ranges) implements Part {
    long size() {
      long size = 0;
      for (NumberRange range : ranges) {
        // Bounded on the way: a sum of many ranges of 18 digits would not fit.
        size = Math.min(size + range.size(), Hostlist.MOST + 1L);
      }
      return size;
    }
  }

  private final List<Part> parts;

  private HostPattern(List<Part> parts) {
    this.parts = parts;
  }

  static HostPattern parse(String word) {
    List<Part> parts = new ArrayList<>();
    int at = 0;
    while (at < word.length()) {
      int open = word.indexOf('[', at);
      int end = open < 0 ? word.length() : open;
      if (end > at) {
        parts.add(new Letters(letters(word, word.substring(at, end))));
      }
      at = end;
      if (open >= 0) {
        int close = word.indexOf(']', open);
        if (close < 0) {
          throw new IllegalArgumentException("'" + shortened(word) + "' has a '[' without its ']'");
        }
        parts.add(numbers(word, word.substring(open + 1, close)));
        at = close + 1;
      }
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a name is missing");
    }
    return new HostPattern(List.copyOf(parts));
  }

  private static String letters(String word, String text) {
    if (text.indexOf(']') >= 0) {
      throw new IllegalArgumentException("'" + shortened(word) + "' has a ']' without its '['");
    }
    if (!text.matches("[A-Za-z0-9._-]+")) {
      throw new IllegalArgumentException(
          "'" + shortened(word) + "' has a character that node names do not have");
    }
    return text;
  }

  private static Numbers numbers(String word, String text) {
    List<NumberRange> ranges = new ArrayList<>();
    for (String range : text.split(",", -1)) {
      try {
        ranges.add(NumberRange.parse(range));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'" + shortened(word) + "': " + e.getMessage());
      }
    }
    return new Numbers(List.copyOf(ranges));
  }

  static String shortened(String text) {
    return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
  }

  /** How many names it has; at most one more than a list may have. */
  long size() {
    long size = 1;
    for (Part part : parts) {
      if (part instanceof Numbers numbers) {
        size = Math.min(size * numbers.size(), Hostlist.MOST + 1L);
      }
    }
    return size;
  }

  /**
   * Follows all ways to read the name at once: each part leads from some places in it to others.
   */
  boolean matches(String name) {
    var places = new BitSet();
    places.set(0);
    for (Part part : parts) {
      var next = new BitSet();
      places.stream().forEach(at -> follow(part, name, at, next));
      places = next;
    }
    return places.get(name.length());
  }

  private static void follow(Part part, String name, int at, BitSet next) {
    switch (part) {
      case Letters(String text) -> {
        if (name.startsWith(text, at)) {
          next.set(at + text.length());
        }
      }
      case Numbers(List<NumberRange> ranges) -> {
        int most = Math.min(name.length(), at + NumberRange.MOST_DIGITS);
        for (int end = at + 1; end <= most && isDigit(name.charAt(end - 1)); end++) {
          String digits = name.substring(at, end);
          if (ranges.stream().anyMatch(range -> range.contains(digits))) {
            next.set(end);
          }
        }
      }
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  List<String> names() {
    List<String> names = List.of("");
    for (Part part : parts) {
      List<String> ends =
          switch (part) {
            case Letters(String text) -> List.of(text);
            case Numbers(List<NumberRange> ranges) ->
                ranges.stream().flatMap(NumberRange::texts).toList();
          };
      names = names.stream().flatMap(begin -> ends.stream().map(begin::concat)).toList();
    }
    return names;
  }
}
