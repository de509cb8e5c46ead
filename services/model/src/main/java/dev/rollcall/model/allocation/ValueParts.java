package dev.rollcall.model.allocation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits the value of a variable between characters into parts of at most 1,024 bytes, for which
 * the PAM module has room. It joins a variable without a name to the one before it.
 */
public final class ValueParts {
  /** Of all parts together, in bytes. */
  public static final int LONGEST_VALUE = 4_096;

  private static final int LONGEST = 1_024;

  private ValueParts() {}

  /** At least one part: an empty value has one. */
  public static List<String> of(String value) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    int bytes = 0;
    for (int at = 0; at < value.length(); ) {
      int end = at + Character.charCount(value.codePointAt(at));
      int size = value.substring(at, end).getBytes(UTF_8).length;
      if (bytes + size > LONGEST) {
        parts.add(value.substring(start, at));
        start = at;
        bytes = 0;
      }
      bytes += size;
      at = end;
    }
    parts.add(value.substring(start));
    return parts;
  }
}
