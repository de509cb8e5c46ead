package dev.rollcall.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file for readers that take a path, written anew for each input. In memory, where there is room.
 */
final class ScratchFile {
  private final Path path;

  ScratchFile(String suffix) {
    Path memory = Path.of("/dev/shm");
    try {
      path =
          Files.isWritable(memory)
              ? Files.createTempFile(memory, "rollcall-fuzz", suffix)
              : Files.createTempFile("rollcall-fuzz", suffix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    path.toFile().deleteOnExit();
  }

  Path with(byte[] contents) {
    try {
      return Files.write(path, contents);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
