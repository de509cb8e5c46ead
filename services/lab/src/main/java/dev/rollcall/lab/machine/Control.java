package dev.rollcall.lab.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the machine's reports, a line each: READY, EXIT, FAILED. */
record Control(Path file) {
  private Stream<String[]> lines(String word) throws IOException {
    return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
        .map(line -> line.split(" ", -1))
        .filter(words -> words[0].equals(word));
  }

  /** Empty when the machine ended before its command did. */
  Optional<VmResult> result() throws IOException {
    Optional<String[]> failed = lines("FAILED").findFirst();
    if (failed.isPresent()) {
      throw new VmException("inside the machine: " + String.join(" ", failed.get()));
    }
    double ready =
        lines("READY").map(words -> Double.parseDouble(words[1])).findFirst().orElse(0.0);
    return lines("EXIT")
        .map(words -> new VmResult(Integer.parseInt(words[1]), ready, Double.parseDouble(words[2])))
        .findFirst();
  }
}
