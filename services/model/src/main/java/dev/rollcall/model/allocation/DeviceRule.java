package dev.rollcall.model.allocation;

import java.util.EnumSet;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Allows or denies some devices, in the notation of the v1 devices controller (Linux,
 * cgroup-v1/devices): {@code c 195:* rw}.
 *
 * @param major absent: all; at most 4,095
 * @param minor absent: all; at most 1,048,575
 */
public record DeviceRule(Type type, OptionalInt major, OptionalInt minor, Set<Access> access) {
  /** The kinds of device files; the letter is the kernel's. */
  public enum Type {
    CHARACTER('c'),
    BLOCK('b'),
    ALL('a');

    private final char letter;

    Type(char letter) {
      this.letter = letter;
    }

    public char letter() {
      return letter;
    }
  }

  /** What may be done with a device; the letter is the kernel's. */
  public enum Access {
    READ('r'),
    WRITE('w'),
    MKNOD('m');

    private final char letter;

    Access(char letter) {
      this.letter = letter;
    }

    public char letter() {
      return letter;
    }
  }

  private static final int LARGEST_MAJOR = 4_095;
  private static final int LARGEST_MINOR = 1_048_575;
  private static final Pattern FORM =
      Pattern.compile("([abc]) (\\*|[0-9]{1,7}):(\\*|[0-9]{1,7}) ([rwm]{1,3})");

  public DeviceRule {
    access = Set.copyOf(access);
    if (access.isEmpty()) {
      throw new IllegalArgumentException("a rule about devices without r, w or m");
    }
    if (major.isPresent() && (major.getAsInt() < 0 || major.getAsInt() > LARGEST_MAJOR)) {
      throw new IllegalArgumentException("major " + major.getAsInt() + " is not within 0 to 4095");
    }
    if (minor.isPresent() && (minor.getAsInt() < 0 || minor.getAsInt() > LARGEST_MINOR)) {
      throw new IllegalArgumentException(
          "minor " + minor.getAsInt() + " is not within 0 to 1048575");
    }
  }

  /**
   * @throws IllegalArgumentException naming the text
   */
  public static DeviceRule parse(String text) {
    Matcher found = FORM.matcher(text);
    if (!found.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a rule such as 'c 195:* rw'");
    }
    Type type =
        switch (found.group(1)) {
          case "c" -> Type.CHARACTER;
          case "b" -> Type.BLOCK;
          default -> Type.ALL;
        };
    Set<Access> access = EnumSet.noneOf(Access.class);
    for (Access each : Access.values()) {
      if (found.group(4).indexOf(each.letter()) >= 0) {
        access.add(each);
      }
    }
    return new DeviceRule(type, number(found.group(2)), number(found.group(3)), access);
  }

  private static OptionalInt number(String text) {
    return text.equals("*") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    String letters =
        EnumSet.copyOf(access).stream()
            .map(each -> String.valueOf(each.letter()))
            .collect(Collectors.joining());
    return String.format(
        Locale.ROOT, "%c %s:%s %s", type.letter(), text(major), text(minor), letters);
  }

  private static String text(OptionalInt number) {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "*";
  }
}
