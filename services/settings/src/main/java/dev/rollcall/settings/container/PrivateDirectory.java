package dev.rollcall.settings.container;

import dev.rollcall.settings.FilePosition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A private directory of each job.
 *
 * @param path where jobs see it
 * @param flags what it is mounted with
 */
public record PrivateDirectory(JobPathPattern path, Backing backing, Set<MountOption> flags) {
  private static final String SHARED_MEMORY = "/dev/shm";

  /** What holds the files. */
  public sealed interface Backing {}

  /**
   * Memory, in a file system of the job's own.
   *
   * @param data what tmpfs(5) is mounted with, as {@code size=4g,mode=1777}; may be empty
   */
  public record Tmpfs(String data) implements Backing {}

  /**
   * A directory of the job's own.
   *
   * @param basePath below which it is; empty for the node's base path. It has {@code %h} and {@code
   *     %n} until it is that of one node
   * @param mode its permissions, e.g. 01777; empty: for its owner alone
   * @param bytes that it may hold; empty: as many as there are
   * @param inodes that it may have
   */
  public record Disk(
      Optional<Path> basePath, OptionalInt mode, OptionalLong bytes, OptionalLong inodes)
      implements Backing {
    /** For its owner alone, without limits. */
    public Disk(Optional<Path> basePath) {
      this(basePath, OptionalInt.empty(), OptionalLong.empty(), OptionalLong.empty());
    }
  }

  public PrivateDirectory {
    var all = EnumSet.noneOf(MountOption.class);
    all.addAll(flags);
    if (backing instanceof Tmpfs) {
      all.addAll(List.of(MountOption.NOSUID, MountOption.NODEV));
    }
    flags = Collections.unmodifiableSet(all);
  }

  /** As {@code Dirs} means it: shared memory is memory, all else is on disk. */
  static PrivateDirectory named(String text) {
    var path = new JobPathPattern(AbsolutePath.parse(text, ""));
    Backing backing = isSharedMemory(path) ? new Tmpfs("") : new Disk(Optional.empty());
    return new PrivateDirectory(path, backing, Set.of());
  }

  /** A list with commas, as Slurm has it: blanks belong to the paths. */
  static List<LocatedValue<PrivateDirectory>> list(String text, FilePosition place) {
    List<LocatedValue<PrivateDirectory>> all = new ArrayList<>();
    for (String path : text.split(",", -1)) {
      add(all, named(path), place);
    }
    return all;
  }

  /** What is private where nothing is said. */
  static List<LocatedValue<PrivateDirectory>> byDefault() {
    return list("/tmp,/dev/shm", new FilePosition("the defaults", 0));
  }

  /**
   * Adds one to others.
   *
   * @throws IllegalArgumentException if it cannot be private, or is there already
   */
  static void add(
      List<LocatedValue<PrivateDirectory>> all, PrivateDirectory one, FilePosition place) {
    JobPathPattern path = one.path;
    if (path.text().equals("/")) {
      throw new IllegalArgumentException("'/' cannot be private");
    }
    Trusted.mayBePrivate(path.text());
    if (all.stream().anyMatch(other -> other.value().path.equals(path))) {
      throw new IllegalArgumentException("'" + path + "' is given twice");
    }
    all.add(new LocatedValue<>(one, place));
  }

  static boolean isSharedMemory(JobPathPattern path) {
    return path.text().equals(SHARED_MEMORY);
  }

  PrivateDirectory on(String node, String host) {
    Backing there =
        switch (backing) {
          case Tmpfs tmpfs -> tmpfs;
          case Disk(var base, var mode, var bytes, var inodes) ->
              new Disk(base.map(path -> JobContainer.on(path, node, host)), mode, bytes, inodes);
        };
    return new PrivateDirectory(path.on(node, host), there, flags);
  }
}
