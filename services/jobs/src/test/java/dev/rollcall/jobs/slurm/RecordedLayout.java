package dev.rollcall.jobs.slurm;

import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One tree of the corpus in {@code layouts/}: lines of a word and what it says. {@code cgroup} is a
 * line of the daemon's {@code /proc/PID/cgroup}, {@code directory} a directory of the hierarchy,
 * {@code process} a path and the step that a process there belongs to.
 */
record RecordedLayout(String name, List<String> lines) {
  static Stream<RecordedLayout> all() {
    try (Stream<Path> files =
        Files.list(
            Path.of(Objects.requireNonNull(RecordedLayout.class.getResource("layouts")).toURI()))) {
      return files.sorted().map(RecordedLayout::read).toList().stream();
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RecordedLayout read(Path file) {
    try {
      return new RecordedLayout(
          String.valueOf(file.getFileName()).replace(".txt", ""), Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> of(String word) {
    return lines.stream()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> line.substring(word.length() + 1))
        .toList();
  }

  String one(String word) {
    return of(word).getFirst();
  }

  JobStep step() {
    return step(one("step"));
  }

  static JobStep step(String text) {
    String[] parts = text.split("\\.", 2);
    return new JobStep(JobId.parse(parts[0]), new StepId(parts[1]));
  }

  int uid() {
    return Integer.parseInt(one("uid"));
  }

  ProcessCgroups daemon() {
    return ProcessCgroups.parse(of("cgroup"));
  }

  @Override
  public String toString() {
    return name;
  }
}
