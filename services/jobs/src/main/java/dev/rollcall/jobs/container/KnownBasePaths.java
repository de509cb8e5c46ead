package dev.rollcall.jobs.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** Every base path that this node ever had: what is below one is found after another is used. */
record KnownBasePaths(Path file) {
  List<Path> all() throws IOException {
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> !line.isEmpty())
          .map(Path::of)
          .toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  void add(Collection<Path> more) throws IOException {
    var paths = new TreeSet<>(all());
    if (paths.addAll(more)) {
      Path fresh = file.resolveSibling(file.getFileName() + ".new");
      try {
        Files.write(fresh, paths.stream().map(Path::toString).toList());
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        Files.deleteIfExists(fresh);
        throw new IOException(file + ": " + e.getMessage(), e);
      }
    }
  }
}
