package dev.rollcall.load.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All runs of docs/figures.
 *
 * @param runs by the file's name without {@code .json}
 */
record KeptFigures(Map<String, KeptRun> runs) {
  static KeptFigures read(Path folder) throws IOException {
    var runs = new TreeMap<String, KeptRun>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        runs.put(file.getFileName().toString().replaceFirst("\\.json$", ""), KeptRun.read(file));
      }
    }
    return new KeptFigures(runs);
  }

  KeptRun run(String name) {
    return Optional.ofNullable(runs.get(name))
        .orElseThrow(() -> new IllegalArgumentException("no docs/figures/" + name + ".json"));
  }

  KeptCase of(String run, String name) {
    return run(run).of(name);
  }
}
