package dev.rollcall.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The type of a value: it parses, formats and describes values.
 *
 * @param takes in Markdown, for the reference
 * @param reader throws IllegalArgumentException naming the text, if it is something else
 * @param writer as a file would say it
 */
public record Kind<T>(String takes, Function<String, T> reader, Function<T, String> writer)
    implements Function<String, T> {
  private static final int MOST_DIGITS = 9;

  /** A value whose own text is what a file says. */
  public static <T> Kind<T> of(String takes, Function<String, T> reader) {
    return new Kind<>(takes, reader, String::valueOf);
  }

  @Override
  public T apply(String text) {
    return reader.apply(text);
  }

  /** A name of letters, digits, dots, dashes and underscores. */
  public static Kind<String> word() {
    return of(
        "a name",
        text -> {
          if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
            throw new IllegalArgumentException("'" + text + "' is not a name");
          }
          return text;
        });
  }

  /** A path that begins at the root. */
  public static Kind<Path> path() {
    return of(
        "an absolute path",
        text -> {
          Path path = Path.of(text);
          if (!path.isAbsolute()) {
            throw new IllegalArgumentException("'" + text + "' is not an absolute path");
          }
          return path;
        });
  }

  public static Kind<HostPort> hostPort() {
    return of("host:port", HostPort::parse);
  }

  public static Kind<MetricsPlace> metricsPlace() {
    return of("an absolute path, or host:port", MetricsPlace::parse);
  }

  /** YAML's two words for either. */
  public static Kind<Boolean> yesOrNo() {
    Function<String, Boolean> reader =
        text ->
            switch (text) {
              case "yes", "true" -> true;
              case "no", "false" -> false;
              default -> throw new IllegalArgumentException("'" + text + "' is neither yes nor no");
            };
    return new Kind<>("`yes` or `no`", reader, yes -> yes ? "yes" : "no");
  }

  public static Kind<Integer> number(int least, int most) {
    return of(
        bounds(least, most),
        text -> {
          int number = text.matches("[0-9]{1," + MOST_DIGITS + "}") ? Integer.parseInt(text) : -1;
          if (number < least || number > most) {
            throw new IllegalArgumentException(
                "'" + text + "' is not a number from " + least + " to " + most);
          }
          return number;
        });
  }

  public static Kind<Duration> seconds(int least, int most) {
    Kind<Integer> number = number(least, most);
    return new Kind<>(
        "seconds, " + bounds(least, most),
        text -> Duration.ofSeconds(number.apply(text)),
        time -> Long.toString(time.toSeconds()));
  }

  public static Kind<Duration> milliseconds(int least, int most) {
    Kind<Integer> number = number(least, most);
    return new Kind<>(
        "milliseconds, " + bounds(least, most),
        text -> Duration.ofMillis(number.apply(text)),
        time -> Long.toString(time.toMillis()));
  }

  private static String bounds(int least, int most) {
    return least + " to " + most;
  }

  /** The constants' names in lower case. */
  public static <E extends Enum<E>> Kind<E> oneOf(Class<E> values) {
    List<E> constants = Arrays.asList(values.getEnumConstants());
    List<String> words = constants.stream().map(Kind::word).toList();
    Function<String, E> reader =
        text -> {
          int index = words.indexOf(text);
          if (index < 0) {
            throw new IllegalArgumentException(
                "'" + text + "' is none of " + String.join(", ", words));
          }
          return constants.get(index);
        };
    return new Kind<>("`" + String.join("`, `", words) + "`", reader, Kind::word);
  }

  private static <E extends Enum<E>> String word(E constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
