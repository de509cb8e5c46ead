package dev.rollcall.jobs.container;

import dev.rollcall.linux.mount.MountFlag;
import dev.rollcall.linux.quota.TreeLimit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A container as jobs of this node get it.
 *
 * @param basePath below which the jobs' directories are
 * @param makesBasePath base paths that are not there are made
 * @param shared what the node mounts later is seen by jobs, too
 */
public record ContainerRules(
    Path basePath,
    boolean makesBasePath,
    List<PrivateDirectory> directories,
    Scripts scripts,
    boolean shared,
    Surroundings surroundings) {

  /** A path that may have the job's words in it. */
  @FunctionalInterface
  public interface JobPath {
    /**
     * @param user the owner's name
     * @throws IllegalArgumentException if a word leads to another directory
     */
    Path of(String job, String user);
  }

  /**
   * A directory that each job has for itself.
   *
   * @param path where jobs see it
   * @param flags what it is mounted with, besides those of what it is on
   */
  public record PrivateDirectory(JobPath path, Backing backing, Set<MountFlag> flags) {
    public PrivateDirectory {
      flags = Set.copyOf(flags);
    }
  }

  /** The storage of the files. */
  public sealed interface Backing {}

  /**
   * Memory.
   *
   * @param data as tmpfs(5) has it; may be empty
   * @param owners its top directory is the job's user's alone, whatever the data says
   */
  public record Tmpfs(String data, boolean owners) implements Backing {
    /** With the mode in the data; without one everybody may write, as in /tmp. */
    public Tmpfs(String data) {
      this(data, false);
    }
  }

  /**
   * A directory of the job's own.
   *
   * @param basePath below which it is
   * @param mode its permissions, as chmod(2) has them
   * @param limit how much may be in it; empty: as much as there is
   */
  public record Disk(Path basePath, int mode, Optional<TreeLimit> limit) implements Backing {
    private static final int OWNERS = 0700;

    /** For the job's user alone, and without a limit. */
    public Disk(Path basePath) {
      this(basePath, OWNERS, Optional.empty());
    }
  }

  /**
   * A program of the site.
   *
   * @param patience after which it has failed
   */
  public record SiteScript(Path path, Duration patience) {}

  /**
   * The programs of the site.
   *
   * @param init runs before anything is made: InitScript
   * @param made runs when the namespace is made: Slurm's CloneNSScript
   * @param epilog runs before it ends: CloneNSEpilog
   */
  public record Scripts(
      Optional<SiteScript> init, Optional<SiteScript> made, Optional<SiteScript> epilog) {
    public static final Scripts NONE =
        new Scripts(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * What a job is in, besides its private directories.
   *
   * @param more namespaces besides that of the mounts
   * @param networkNamespace file of one that is there, and that a job is in
   * @param view of the node's own files
   * @param runtimeDirectory where each job has a directory in memory for XDG_RUNTIME_DIR
   */
  public record Surroundings(
      MoreNamespaces more,
      Optional<JobPath> networkNamespace,
      View view,
      Optional<Path> runtimeDirectory) {
    /** The node's own. */
    public static Surroundings nodes() {
      return new Surroundings(
          MoreNamespaces.none(), Optional.empty(), View.WHOLE, Optional.empty());
    }
  }

  public ContainerRules {
    directories = List.copyOf(directories);
  }

  /** Whether the job gets other namespaces than that of its mounts. */
  public boolean hasMore() {
    return !surroundings.more().kinds().isEmpty();
  }

  /** The base paths of directories that have a limit, each once. */
  public List<Path> limitedBasePaths() {
    return directories.stream()
        .map(PrivateDirectory::backing)
        .flatMap(backing ->
            backing instanceof Disk disk && disk.limit().isPresent()
                ? Stream.of(disk.basePath())
                : Stream.empty())
        .distinct()
        .toList();
  }

  /** All base paths, the node's first, each once. */
  public List<Path> basePaths() {
    return Stream.concat(
            Stream.of(basePath),
            directories.stream()
                .map(PrivateDirectory::backing)
                .flatMap(backing ->
                    backing instanceof Disk disk ? Stream.of(disk.basePath()) : Stream.empty()))
        .distinct()
        .toList();
  }
}
