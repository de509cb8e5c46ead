package dev.rollcall.model.allocation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits of one block device: {@code io.max} of v2, {@code blkio.throttle.*} of v1. Each a second,
 * at least 1; absent: no bound.
 */
public record IoMax(
    int major,
    int minor,
    OptionalLong readBytes,
    OptionalLong writeBytes,
    OptionalLong readOperations,
    OptionalLong writeOperations) {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,10}):([0-9]{1,10}):(\\S+)");
  private static final Pattern BOUND = Pattern.compile("(rbps|wbps|riops|wiops)=(max|[0-9]{1,19})");

  public IoMax {
    if (major < 0 || minor < 0) {
      throw new IllegalArgumentException(major + ":" + minor + " is not a block device");
    }
    if (readBytes.isEmpty()
        && writeBytes.isEmpty()
        && readOperations.isEmpty()
        && writeOperations.isEmpty()) {
      throw new IllegalArgumentException("device " + major + ":" + minor + " without a bound");
    }
    for (OptionalLong bound :
        new OptionalLong[] {readBytes, writeBytes, readOperations, writeOperations}) {
      if (bound.isPresent() && bound.getAsLong() < 1) {
        throw new IllegalArgumentException(
            "bound " + bound.getAsLong() + " of device " + major + ":" + minor + " is below 1");
      }
    }
  }

  /**
   * Reads {@code 8:0:rbps=1048576,wiops=100}, with the kernel's words for the bounds.
   *
   * @throws IllegalArgumentException naming the text
   */
  public static IoMax parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw bad(text);
    }
    Map<String, Long> bounds = new HashMap<>();
    for (String word : found.group(3).split(",", -1)) {
      Matcher bound = BOUND.matcher(word);
      if (!bound.matches() || bounds.put(bound.group(1), number(bound.group(2))) != null) {
        throw bad(text);
      }
    }
    return new IoMax(
        Integer.parseInt(found.group(1)),
        Integer.parseInt(found.group(2)),
        of(bounds, "rbps"),
        of(bounds, "wbps"),
        of(bounds, "riops"),
        of(bounds, "wiops"));
  }

  /** These bounds, with each that the other names in its place. */
  IoMax with(IoMax other) {
    return new IoMax(
        major,
        minor,
        other.readBytes.isPresent() ? other.readBytes : readBytes,
        other.writeBytes.isPresent() ? other.writeBytes : writeBytes,
        other.readOperations.isPresent() ? other.readOperations : readOperations,
        other.writeOperations.isPresent() ? other.writeOperations : writeOperations);
  }

  private static long number(String text) {
    return text.equals("max") ? Limits.UNLIMITED : Long.parseLong(text);
  }

  private static String text(long number) {
    return number == Limits.UNLIMITED ? "max" : Long.toString(number);
  }

  private static OptionalLong of(Map<String, Long> bounds, String word) {
    Long bound = bounds.get(word);
    return bound == null ? OptionalLong.empty() : OptionalLong.of(bound);
  }

  private static IllegalArgumentException bad(String text) {
    return new IllegalArgumentException(
        "'" + text + "' is not a bound of a device such as 8:0:rbps=1048576,wiops=100");
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    List<String> bounds = new ArrayList<>();
    readBytes.ifPresent(bound -> bounds.add("rbps=" + text(bound)));
    writeBytes.ifPresent(bound -> bounds.add("wbps=" + text(bound)));
    readOperations.ifPresent(bound -> bounds.add("riops=" + text(bound)));
    writeOperations.ifPresent(bound -> bounds.add("wiops=" + text(bound)));
    return major + ":" + minor + ":" + String.join(",", bounds);
  }
}
