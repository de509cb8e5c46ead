package dev.rollcall.model.allocation;

import java.util.BitSet;

/**
 * Numbers of CPUs or memory nodes, as the kernel writes them: {@code 0-3,8}. The text is normal:
 * ascending, without overlaps, the longest ranges. cpuset(7), "List format".
 */
public record NumberList(String text) {
  /** More than any kernel is built for (NR_CPUS, 8,192 on x86-64). */
  private static final int MOST = 65_536;

  public NumberList {
    text = normal(read(text));
  }

  private static BitSet read(String text) {
    var numbers = new BitSet();
    for (String range : text.split(",", -1)) {
      String[] ends = range.split("-", -1);
      if (ends.length > 2 || range.isEmpty()) {
        throw bad(text);
      }
      int first = number(ends[0], text);
      int last = number(ends[ends.length - 1], text);
      if (first > last) {
        throw bad(text);
      }
      numbers.set(first, last + 1);
    }
    return numbers;
  }

  private static int number(String digits, String text) {
    if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) >= MOST) {
      throw bad(text);
    }
    return Integer.parseInt(digits);
  }

  private static IllegalArgumentException bad(String text) {
    return new IllegalArgumentException("'" + text + "' is not a list of numbers such as 0-3,8");
  }

  private static String normal(BitSet numbers) {
    var text = new StringBuilder();
    for (int first = numbers.nextSetBit(0); first >= 0; ) {
      int last = numbers.nextClearBit(first) - 1;
      text.append(text.isEmpty() ? "" : ",").append(first);
      if (last > first) {
        text.append('-').append(last);
      }
      first = numbers.nextSetBit(last + 1);
    }
    return text.toString();
  }

  /** The numbers themselves; a copy. */
  public BitSet numbers() {
    return read(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
