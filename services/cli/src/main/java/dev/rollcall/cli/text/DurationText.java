package dev.rollcall.cli.text;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A span of time as people write it: {@code 90}, {@code 90s}, {@code 500ms}, {@code 2m}. Without a
 * unit it is seconds.
 */
public record DurationText(Duration duration) {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(ms|s|m|h|)");

  public static DurationText parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time: a number with ms, s, m, h, or of seconds");
    }
    long number = Long.parseLong(matcher.group(1));
    return new DurationText(
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "m" -> Duration.ofMinutes(number);
          case "h" -> Duration.ofHours(number);
          default -> Duration.ofSeconds(number);
        });
  }

  /** As it can be read again: {@code 90s}, {@code 1500ms}. */
  @Override
  public String toString() {
    return duration.getNano() == 0 ? duration.getSeconds() + "s" : duration.toMillis() + "ms";
  }
}
