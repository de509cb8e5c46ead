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

/**
 * One cluster's sub-trees of the machine's cgroup v1 hierarchies, one for each controller that is
 * mounted alone. A batch system keeps its jobs in them; their processes are in the cluster's
 * cgroup2 tree as well, which is the one that ends them.
 */
record ControllerTrees(String id) {
  private static final Duration DEADLINE = Patience.ofSeconds(10);

  /** Makes a node's part of a controller's hierarchy; empty where that is not mounted alone. */
  Optional<Path> of(String controller, NodeAddress node) {
    return mounts().stream()
        .filter(mount -> mount.getFileName().toString().equals(controller))
        .map(mount -> make(mount.resolve(name()).resolve(node.name())))
        .findFirst();
  }

  private static Path make(Path directory) {
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new RigException("cannot make cgroup " + directory, e);
    }
  }

  private String name() {
    return "rollcall-" + id;
  }

  /** The v1 hierarchies: field 3 of /proc/self/mounts is "cgroup" (cgroups(7)). */
  private static List<Path> mounts() {
    try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mounts"))) {
      return mounts
          .map(line -> line.split(" ", -1))
          .filter(fields -> fields[2].equals("cgroup"))
          .map(fields -> Path.of(fields[1]))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> roots() {
    return mounts().stream()
        .map(mount -> mount.resolve(name()))
        .filter(Files::isDirectory)
        .toList();
  }

  /** A process that v1's freezer holds does not even die: lets all of them go. */
  void thaw() {
    for (Path root : roots()) {
      for (Path directory : deepestFirst(root)) {
        thaw(directory.resolve("freezer.state"));
      }
    }
  }

  private static void thaw(Path state) {
    if (Files.exists(state)) {
      try {
        Files.writeString(state, "THAWED");
      } catch (IOException e) {
        // It went away while we looked, and with it what it held.
      }
    }
  }

  /** Removes the trees, whose processes are gone or going. */
  void remove() {
    Eventually.await(
        DEADLINE,
        () -> roots().stream().allMatch(ControllerTrees::removed),
        () -> roots() + " cannot be removed");
  }

  private static boolean removed(Path root) {
    for (Path directory : deepestFirst(root)) {
      try {
        Files.deleteIfExists(directory);
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  private static List<Path> deepestFirst(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException | UncheckedIOException e) {
      return List.of(root);
    }
  }
}
