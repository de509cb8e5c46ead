package dev.rollcall.settings.container;

import java.util.List;

/**
 * Lists the keys of container files for the reference; their descriptions are in {@code
 * container.properties}.
 *
 * @param conf its name in {@code job_container.conf}; may be empty
 * @param yaml its name in {@code namespace.yaml}; may be empty
 * @param takes what can stand there, in Markdown
 */
public record ContainerKey(String conf, String yaml, String takes) {
  public static List<ContainerKey> all() {
    return Key.ALL.stream()
        .map(key -> new ContainerKey(key.conf(), key.yaml(), key.takes()))
        .toList();
  }
}
