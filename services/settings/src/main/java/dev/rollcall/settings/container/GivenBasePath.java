package dev.rollcall.settings.container;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The base path of a file.
 *
 * @param path with the variables of a node; empty for {@code none}
 */
record GivenBasePath(Optional<Path> path) {
  static GivenBasePath parse(String text) {
    return new GivenBasePath(
        text.equalsIgnoreCase("none") ? Optional.empty() : Optional.of(AbsolutePath.ofNode(text)));
  }
}
