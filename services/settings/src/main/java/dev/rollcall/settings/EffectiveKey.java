package dev.rollcall.settings;

import java.util.Optional;

/**
 * A key with the value that a process would use.
 *
 * @param key with its section's name and a dot before it
 * @param value as a file would set it; empty if nothing is set and there is no default
 * @param from where the value is set, in this file or in one that it names; empty for the default
 */
public record EffectiveKey(String key, Optional<String> value, Optional<FilePosition> from) {
  private static final String TAB = "\t";

  /** One line of text, from which {@link #parse} makes the same again. */
  public String line() {
    return String.join(
        TAB,
        key,
        from.map(FilePosition::file).orElse(""),
        from.map(it -> Integer.toString(it.line())).orElse(""),
        value.map(it -> "=" + it.replaceAll("\\p{Cntrl}+", " ")).orElse(""));
  }

  /**
   * Reads {@link #line}.
   *
   * @return empty if the text is none
   */
  public static Optional<EffectiveKey> parse(String line) {
    String[] fields = line.split(TAB, -1);
    if (fields.length != 4 || !fields[2].matches("[0-9]{0,9}")) {
      return Optional.empty();
    }
    return Optional.of(
        new EffectiveKey(
            fields[0],
            fields[3].startsWith("=") ? Optional.of(fields[3].substring(1)) : Optional.empty(),
            fields[2].isEmpty()
                ? Optional.empty()
                : Optional.of(new FilePosition(fields[1], Integer.parseInt(fields[2])))));
  }
}
