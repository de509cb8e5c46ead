package dev.rollcall.settings.container;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a file says of the base path.
 *
 * @param path with the variables of a node; empty for {@code none}
 */
record BasePath(Optional<Path> path) {
  static BasePath parse(String text) {
    return new BasePath(
        text.equalsIgnoreCase("none") ? Optional.empty() : Optional.of(AbsolutePath.ofNode(text)));
  }
}
