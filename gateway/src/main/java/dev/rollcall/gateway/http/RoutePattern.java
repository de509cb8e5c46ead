package dev.rollcall.gateway.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path with names for some of its segments, and a verb: {@code /v1/jobs/{job_id}:end}. Of the
 * syntax of google/api/http.proto these alone.
 *
 * @param form of the paths that match, with a group for each named segment
 * @param verb what follows the colon, empty if there is none
 */
record RoutePattern(String text, Pattern form, List<String> names, String verb) {
  private static final Pattern SEGMENT = Pattern.compile("[a-z0-9]+|\\{([a-z_]+)\\}");

  static RoutePattern parse(String text) {
    int colon = text.indexOf(':', text.lastIndexOf('/'));
    String path = colon < 0 ? text : text.substring(0, colon);
    var form = new StringBuilder();
    List<String> names = new ArrayList<>();
    for (String segment : path.substring(1).split("/", -1)) {
      Matcher named = SEGMENT.matcher(segment);
      if (!named.matches()) {
        throw new IllegalArgumentException(
            "path " + text + ": '" + segment + "' is not understood");
      }
      form.append('/').append(named.group(1) == null ? segment : "([^/]+)");
      Optional.ofNullable(named.group(1)).ifPresent(names::add);
    }
    form.append(Pattern.quote(text.substring(path.length())));
    return new RoutePattern(
        text,
        Pattern.compile(form.toString()),
        List.copyOf(names),
        colon < 0 ? "" : text.substring(colon + 1));
  }

  /**
   * Returns the text of each named part of a path; absent if the path does not match.
   *
   * @param path as it was sent
   * @throws IllegalArgumentException for percent signs that encode nothing
   */
  Optional<Map<String, String>> match(String path) {
    Matcher match = form.matcher(path);
    if (!match.matches()) {
      return Optional.empty();
    }
    var values = new HashMap<String, String>();
    for (int i = 0; i < names.size(); i++) {
      // In a path a plus is a plus.
      String sent = match.group(i + 1).replace("+", "%2B");
      values.put(names.get(i), URLDecoder.decode(sent, StandardCharsets.UTF_8));
    }
    return Optional.of(values);
  }
}
