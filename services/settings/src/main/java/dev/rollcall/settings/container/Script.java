package dev.rollcall.settings.container;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A site's program that has a part in making or ending a job's container.
 *
 * @param patience after which it has failed
 */
public record Script(Path path, Duration patience) {
  /** What a script has when nothing is said. */
  static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);
}
