package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Which clusters exist on this machine and whose they are, so that the next start removes what a
 * killed run left behind. One file for each cluster, written before anything else is made.
 */
final class Ledger {
  private static final Path DEFAULT = Path.of("/run/rollcall-clusters");
  private static final String DRAFT = ".draft";
  private static final String SUFFIX = ".properties";

  private final Path directory;

  Ledger() {
    this(DEFAULT);
  }

  Ledger(Path directory) {
    this.directory = directory;
  }

  /** Notes that this process owns a cluster. */
  void enter(String id, CgroupTree tree, Path files) {
    var entry = new Properties();
    long pid = ProcessHandle.current().pid();
    entry.setProperty("pid", Long.toString(pid));
    entry.setProperty("start", ProcessStart.startTime(pid).orElseThrow());
    entry.setProperty("cgroup", tree.root().toString());
    entry.setProperty("files", files.toString());
    try {
      Files.createDirectories(directory);
      Path draft = directory.resolve(id + DRAFT);
      try (var writer = Files.newBufferedWriter(draft)) {
        entry.store(writer, null);
      }
      Files.move(draft, directory.resolve(id + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new RigException("cannot note the cluster in " + directory, e);
    }
  }

  /** Removes a cluster: its processes, then its cgroups, then its files, then the note. */
  void remove(String id, CgroupTree tree, Path files) {
    var controllers = new ControllerTrees(id);
    controllers.thaw();
    tree.destroy();
    controllers.remove();
    delete(files);
    try {
      Files.deleteIfExists(directory.resolve(id + SUFFIX));
      Files.deleteIfExists(directory.resolve(id + DRAFT));
    } catch (IOException e) {
      throw new RigException("cannot remove the note of cluster " + id, e);
    }
  }

  /** Removes what owners that are no more left behind, and returns those clusters' ids. */
  List<String> sweep() {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> notes = Files.list(directory)) {
      return notes
          .filter(note -> note.toString().endsWith(SUFFIX))
          .flatMap(note -> swept(note).stream())
          .toList();
    } catch (IOException e) {
      throw new RigException("cannot read " + directory, e);
    }
  }

  private Optional<String> swept(Path note) {
    var entry = new Properties();
    try (var reader = Files.newBufferedReader(note)) {
      entry.load(reader);
    } catch (IOException e) {
      return Optional.empty(); // another start removed it first
    }
    String owner = entry.getProperty("pid");
    if (ProcessStart.startTime(Long.parseLong(owner))
        .equals(Optional.of(entry.getProperty("start")))) {
      return Optional.empty();
    }
    String id = note.getFileName().toString().replace(SUFFIX, "");
    remove(
        id,
        new CgroupTree(Path.of(entry.getProperty("cgroup"))),
        Path.of(entry.getProperty("files")));
    return Optional.of(id);
  }

  private static void delete(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + root, e);
    }
  }
}
