package dev.rollcall.load.attack;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the attacks that are kept for a target. */
final class KnownAttacks {
  private KnownAttacks() {}

  /** Those whose files have names that begin so. */
  static List<Attack> of(String target, String beginning) {
    var attacks = new ArrayList<Attack>();
    try {
      Path folder = Path.of(requireNonNull(KnownAttacks.class.getResource(target)).toURI());
      try (var files = Files.list(folder)) {
        for (Path file : files.sorted().toList()) {
          if (file.getFileName().toString().startsWith(beginning)) {
            attacks.add(Attack.parse(Files.readString(file)));
          }
        }
      }
    } catch (IOException | URISyntaxException e) {
      throw new AssertionError(e);
    }
    return attacks;
  }
}
