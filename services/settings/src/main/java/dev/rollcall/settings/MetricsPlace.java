package dev.rollcall.settings;

import java.nio.file.Path;
import java.util.Optional;

/** The address of a process's metrics. */
public sealed interface MetricsPlace {
  record Socket(Path path) implements MetricsPlace {
    @Override
    public String toString() {
      return path.toString();
    }
  }

  record Port(HostPort at) implements MetricsPlace {
    @Override
    public String toString() {
      return at.toString();
    }
  }

  /** The port, if it is one that others than this machine's users reach. */
  default Optional<HostPort> remote() {
    return switch (this) {
      case Socket _ -> Optional.empty();
      case Port(HostPort at) -> Optional.of(at).filter(port -> !port.loopback());
    };
  }

  /**
   * Reads an absolute path, or {@code host:port}.
   *
   * @throws IllegalArgumentException naming the text, if it is neither
   */
  static MetricsPlace parse(String text) {
    return text.startsWith("/") ? new Socket(Path.of(text)) : new Port(HostPort.parse(text));
  }
}
