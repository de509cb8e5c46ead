package dev.rollcall.settings.container;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A site's program that runs when a job's container is made or removed.
 *
 * @param patience after which it has failed
 */
public record Script(Path path, Duration patience) {
  static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);
}
