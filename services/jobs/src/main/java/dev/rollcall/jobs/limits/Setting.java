package dev.rollcall.jobs.limits;

import dev.rollcall.jobs.tree.Controller;
import dev.rollcall.model.allocation.NumberList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One value for one file of a cgroup.
 *
 * @param value as it is written
 */
record Setting(Controller controller, String file, String value, Kind kind) {
  /** How the file shows what was written to it. */
  enum Kind {
    /** As it was written. */
    WORD,
    /** A number of bytes, which the kernel rounds down to whole pages. */
    BYTES,
    /** The same, of a page size of its own. */
    HUGE_BYTES,
    /** A list of numbers in the kernel's normal form. */
    LIST,
    /** One line for each device, which begins with its numbers: io.max of v2. */
    DEVICE_V2,
    /** The same, with one number a line: blkio.throttle of v1. */
    DEVICE_V1
  }

  /** The largest page of the machines that we know, 64 KiB on aarch64. */
  private static final long LARGEST_PAGE = 65_536;

  /** From here on v1 means no limit: PAGE_COUNTER_MAX is a little below 2^63. */
  private static final long NO_LIMIT = 1L << 60;

  private static final String MAX = "max";

  /** Whether the file's content says this value. */
  boolean isIn(String content) {
    return switch (kind) {
      case WORD -> unsigned(content).equals(unsigned(value));
      case BYTES -> rounded(content, LARGEST_PAGE);
      case HUGE_BYTES -> rounded(content, Long.MAX_VALUE);
      case LIST -> !content.isEmpty() && new NumberList(content).equals(new NumberList(value));
      case DEVICE_V2, DEVICE_V1 -> deviceIsIn(content);
    };
  }

  /** v1 shows what is not bounded as -1 or as max. */
  private static String unsigned(String text) {
    return text.equals("-1") ? MAX : text;
  }

  private boolean rounded(String content, long page) {
    long shown = number(content);
    long wanted = number(value);
    if (shown >= NO_LIMIT || wanted >= NO_LIMIT) {
      return shown >= NO_LIMIT && wanted >= NO_LIMIT;
    }
    return shown <= wanted && wanted - shown < page;
  }

  /** The first number; no bound is the largest there is, and so is what is no number. */
  static long number(String text) {
    String first = text.split(" ", 2)[0];
    try {
      long number = Long.parseLong(first);
      return number < 0 ? Long.MAX_VALUE : number;
    } catch (NumberFormatException notANumber) {
      return Long.MAX_VALUE;
    }
  }

  private boolean deviceIsIn(String content) {
    Optional<String> line = line(content);
    if (line.isEmpty()) {
      return unbounded();
    }
    return kind == Kind.DEVICE_V1
        ? line.get().equals(value)
        : Arrays.asList(line.get().split(" ", -1)).containsAll(List.of(value.split(" ", -1)));
  }

  private boolean unbounded() {
    return kind == Kind.DEVICE_V1
        ? value.endsWith(" 0")
        : Arrays.stream(value.split(" ", -1)).skip(1).allMatch(word -> word.endsWith("=" + MAX));
  }

  private Optional<String> line(String content) {
    String device = device();
    return content.lines().filter(line -> line.startsWith(device + " ")).findFirst();
  }

  private String device() {
    return value.split(" ", 2)[0];
  }

  /** What puts the file back to a content that it had. */
  Setting before(String content) {
    String text =
        switch (kind) {
          case DEVICE_V1 -> line(content).orElse(device() + " 0");
          case DEVICE_V2 ->
              line(content).orElse(device() + " rbps=max wbps=max riops=max wiops=max");
          case WORD, BYTES, HUGE_BYTES, LIST -> content;
        };
    return new Setting(controller, file, text, kind);
  }
}
