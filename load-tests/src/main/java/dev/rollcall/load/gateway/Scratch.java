package dev.rollcall.load.gateway;

import dev.rollcall.load.bench.AtExit;
import dev.rollcall.load.bench.BenchFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A directory that is gone when it is closed, with all that is in it. */
public final class Scratch implements AutoCloseable {
  private final Path path;
  private final AtExit atExit;

  private Scratch(Path path) {
    this.path = path;
    this.atExit = AtExit.of(this::remove);
  }

  /** A new one, in memory where the machine has a file system there. */
  public static Scratch fresh(String prefix) {
    Path memory = Path.of("/dev/shm");
    try {
      return new Scratch(
          Files.isWritable(memory)
              ? Files.createTempDirectory(memory, prefix)
              : Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new BenchFailedException("no temporary directory: " + e.getMessage(), e);
    }
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    remove();
    atExit.forget();
  }

  private void remove() {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.toList().reversed()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new BenchFailedException("cannot remove " + path + ": " + e.getMessage(), e);
    }
  }
}
