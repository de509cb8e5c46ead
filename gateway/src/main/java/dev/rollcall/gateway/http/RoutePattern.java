package dev.rollcall.gateway.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A path with names for some of its segments, and a verb: {@code /v1/jobs/{job_id}:end}. Of the
 * syntax of google/api/http.proto these alone.
 *
 * @param verb what follows the colon, empty if there is none
 */
record RoutePattern(String text, List<String> segments, String verb) {
  RoutePattern {
    segments = List.copyOf(segments);
  }

  static RoutePattern parse(String text) {
    int colon = text.indexOf(':', text.lastIndexOf('/'));
    String path = colon < 0 ? text : text.substring(0, colon);
    List<String> segments = List.of(path.split("/", -1));
    for (String segment : segments.subList(1, segments.size())) {
      if (!segment.matches("[a-z0-9]+|\\{[a-z_]+\\}")) {
        throw new IllegalArgumentException(
            "path " + text + ": '" + segment + "' is not understood");
      }
    }
    return new RoutePattern(text, segments, colon < 0 ? "" : text.substring(colon + 1));
  }

  /**
   * Returns the text of each named part of a path; absent if the path does not match.
   *
   * @param path as it was sent
   * @throws IllegalArgumentException for percent signs that encode nothing
   */
  Optional<Map<String, String>> match(String path) {
    String rest = path;
    if (!verb.isEmpty()) {
      if (!path.endsWith(":" + verb)) {
        return Optional.empty();
      }
      rest = path.substring(0, path.length() - verb.length() - 1);
    }
    String[] said = rest.split("/", -1);
    if (said.length != segments.size()) {
      return Optional.empty();
    }
    var values = new HashMap<String, String>();
    for (int i = 0; i < said.length; i++) {
      String segment = segments.get(i);
      if (isField(segment) && !said[i].isEmpty()) {
        values.put(name(segment), decoded(said[i]));
      } else if (!segment.equals(said[i])) {
        return Optional.empty();
      }
    }
    return Optional.of(values);
  }

  private static boolean isField(String segment) {
    return segment.startsWith("{");
  }

  private static String name(String segment) {
    return segment.substring(1, segment.length() - 1);
  }

  /** In a path a plus is a plus. */
  private static String decoded(String segment) {
    return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
