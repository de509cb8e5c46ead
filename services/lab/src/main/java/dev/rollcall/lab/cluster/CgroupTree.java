package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A sub-tree of the machine's cgroup2 mount, holding every process of one cluster. */
record CgroupTree(Path root) {
  private static final Duration KILL_DEADLINE = Patience.ofSeconds(10);

  /** Where this machine has cgroup2 mounted: alone, or beside v1 ("unified"). */
  static Path mount() {
    try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mounts"))) {
      return mounts
          .map(line -> line.split(" ", -1))
          .filter(fields -> fields[2].equals("cgroup2"))
          .map(fields -> Path.of(fields[1]))
          .findFirst()
          .orElseThrow(() ->
              new RigException(
                  "cgroup2 is not mounted here: mount -t cgroup2 none /sys/fs/cgroup"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a cgroup below the root and returns its cgroup.procs. */
  Path leaf(String... names) {
    Path directory = Path.of(root.toString(), names);
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new RigException("cannot make cgroup " + directory, e);
    }
    return directory.resolve("cgroup.procs");
  }

  /** Kills every process in the tree, waits until they are gone, and removes the tree. */
  void destroy() {
    if (!Files.isDirectory(root)) {
      return;
    }
    Eventually.await(KILL_DEADLINE, this::killed, () -> root + " still holds " + processes());
    Eventually.await(KILL_DEADLINE, this::removed, () -> root + " cannot be removed");
  }

  private boolean killed() {
    try {
      Files.writeString(root.resolve("cgroup.kill"), "1");
    } catch (IOException e) {
      // Before kernel 5.14 there is no cgroup.kill; killing one by one is repeated until none is
      // left, so a fork in between is caught by the next round.
      processes().stream()
          .map(ProcessHandle::of)
          .flatMap(Optional::stream)
          .forEach(ProcessHandle::destroyForcibly);
    }
    return processes().isEmpty();
  }

  /** The pids of every process in the tree. */
  List<Long> processes() {
    return directories().stream().flatMap(CgroupTree::pids).toList();
  }

  private static Stream<Long> pids(Path directory) {
    try {
      return Files.readAllLines(directory.resolve("cgroup.procs")).stream().map(Long::valueOf);
    } catch (IOException e) {
      return Stream.of();
    }
  }

  private boolean removed() {
    for (Path directory : directories()) {
      try {
        Files.deleteIfExists(directory);
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  /** Deepest first. */
  private List<Path> directories() {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | UncheckedIOException e) {
      // A cgroup went away while we looked: the next round sees it so.
      return List.of(root);
    }
  }
}
