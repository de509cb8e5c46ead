package dev.rollcall.cli.verify;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The environment of one process, as it sees it.
 *
 * @param parts names and values; a part that is missing was not looked at
 */
public record ProcessView(Map<Part, SortedMap<String, String>> parts) {
  public ProcessView {
    var copy = new EnumMap<Part, SortedMap<String, String>>(Part.class);
    parts.forEach((part, values) -> copy.put(part, new TreeMap<>(values)));
    parts = copy;
  }

  ProcessView with(Part part, Map<String, String> values) {
    var copy = new EnumMap<Part, SortedMap<String, String>>(Part.class);
    copy.putAll(parts);
    copy.put(part, new TreeMap<>(values));
    return new ProcessView(copy);
  }
}
