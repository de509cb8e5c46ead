package dev.rollcall.settings.container;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An absolute path with placeholders for the job.
 *
 * @param text with {@code %h}, the host's name, {@code %n}, the node's, {@code %j}, the job's
 *     number, {@code %u}, the user's name, {@code %S}, the job's SLUID; without {@code .} and
 *     {@code ..}
 */
public record JobPathPattern(String text) {
  static final String OF_NODES = "hn";
  static final String OF_JOBS = "hnjuS";

  private static final Pattern VARIABLE = Pattern.compile("%([" + OF_JOBS + "])");

  public JobPathPattern {
    text = AbsolutePath.parse(text, OF_JOBS);
  }

  /** With the names of a node; what is a job's stays. */
  JobPathPattern on(String node, String host) {
    return new JobPathPattern(replaced(text, Map.of('n', node, 'h', host)));
  }

  /**
   * The path of one job, once the template is that of one node.
   *
   * @throws IllegalArgumentException if a word would lead to another directory: it has a slash, or
   *     is {@code ..}
   */
  public Path of(String job, String user, String sluid) {
    String path = replaced(text, Map.of('j', job, 'u', user, 'S', sluid));
    return Path.of(AbsolutePath.parse(path, ""));
  }

  /** Replaces the variables that have a value; the others stay. */
  static String replaced(String text, Map<Character, String> values) {
    return VARIABLE
        .matcher(text)
        .replaceAll(found -> {
          String value = values.get(found.group(1).charAt(0));
          return Matcher.quoteReplacement(value == null ? found.group() : word(value));
        });
  }

  private static String word(String value) {
    if (value.isEmpty() || value.indexOf('/') >= 0) {
      throw new IllegalArgumentException("'" + value + "' cannot be a part of a path");
    }
    return value;
  }

  @Override
  public String toString() {
    return text;
  }
}
