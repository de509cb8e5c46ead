package dev.rollcall.cli.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes JSON: maps, lists, strings, numbers, booleans and null. */
final class JsonWriter {
  private JsonWriter() {}

  static String write(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> quote(String.valueOf(entry.getKey())) + ":" + write(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list ->
          list.stream().map(JsonWriter::write).collect(Collectors.joining(",", "[", "]"));
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      default -> quote(value.toString());
    };
  }

  private static String quote(String text) {
    var quoted = new StringBuilder(text.length() + 2).append('"');
    text.chars().forEach(c -> append(quoted, (char) c));
    return quoted.append('"').toString();
  }

  private static void append(StringBuilder quoted, char c) {
    switch (c) {
      case '"', '\\' -> quoted.append('\\').append(c);
      case '\n' -> quoted.append("\\n");
      case '\t' -> quoted.append("\\t");
      default -> {
        if (c < 0x20 || c == 0x7f) {
          quoted.append(String.format("\\u%04x", (int) c));
        } else {
          quoted.append(c);
        }
      }
    }
  }
}
