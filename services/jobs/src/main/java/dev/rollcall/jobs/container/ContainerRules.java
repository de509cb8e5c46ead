package dev.rollcall.jobs.container;

import dev.rollcall.linux.mount.MountFlag;
import dev.rollcall.linux.quota.TreeLimit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What every job of this node gets of its own.
 *
 * @param basePath below which the jobs' directories are
 * @param makesBasePath base paths that are not there are made
 * @param initScript runs before anything is made
 * @param cloneScript runs when the namespace is made
 * @param cloneEpilog runs before it ends
 * @param shared what the node mounts later is seen by jobs, too
 * @param more namespaces besides that of the mounts
 * @param view of the node's own files
 * @param networkNamespace file of one that is there, and that a job is in
 * @param runtimeDirectory where each job has a directory in memory for XDG_RUNTIME_DIR
 */
public record ContainerRules(
    Path basePath,
    boolean makesBasePath,
    List<PrivateDirectory> directories,
    Optional<SiteScript> initScript,
    Optional<SiteScript> cloneScript,
    Optional<SiteScript> cloneEpilog,
    boolean shared,
    MoreNamespaces more,
    View view,
    Optional<JobPath> networkNamespace,
    Optional<Path> runtimeDirectory) {

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

  /** What holds the files. */
  public sealed interface Backing {}

  /**
   * Memory.
   *
   * @param data as tmpfs(5) has it; may be empty
   * @param owners its top directory is the job's user's alone, whatever the data says
   */
  public record Tmpfs(String data, boolean owners) implements Backing {
    /** As the data says; else everybody may write, as in /tmp. */
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

  /** Of jobs that have no namespaces but that of their mounts, and see all of the node. */
  public ContainerRules(
      Path basePath,
      boolean makesBasePath,
      List<PrivateDirectory> directories,
      Optional<SiteScript> initScript,
      Optional<SiteScript> cloneScript,
      Optional<SiteScript> cloneEpilog,
      boolean shared) {
    this(
        basePath,
        makesBasePath,
        directories,
        initScript,
        cloneScript,
        cloneEpilog,
        shared,
        MoreNamespaces.none(),
        View.WHOLE,
        Optional.empty(),
        Optional.empty());
  }

  public ContainerRules {
    directories = List.copyOf(directories);
  }

  /** The same with namespaces of other kinds. */
  public ContainerRules with(MoreNamespaces namespaces) {
    return new ContainerRules(
        basePath,
        makesBasePath,
        directories,
        initScript,
        cloneScript,
        cloneEpilog,
        shared,
        namespaces,
        view,
        networkNamespace,
        runtimeDirectory);
  }

  /** The same with another view of the node. */
  public ContainerRules with(View other) {
    return new ContainerRules(
        basePath,
        makesBasePath,
        directories,
        initScript,
        cloneScript,
        cloneEpilog,
        shared,
        more,
        other,
        networkNamespace,
        runtimeDirectory);
  }

  /** The same with a runtime directory. */
  public ContainerRules with(Path runtime) {
    return new ContainerRules(
        basePath,
        makesBasePath,
        directories,
        initScript,
        cloneScript,
        cloneEpilog,
        shared,
        more,
        view,
        networkNamespace,
        Optional.of(runtime));
  }

  /** The same in a network namespace that is there. */
  public ContainerRules in(JobPath network) {
    return new ContainerRules(
        basePath,
        makesBasePath,
        directories,
        initScript,
        cloneScript,
        cloneEpilog,
        shared,
        more,
        view,
        Optional.of(network),
        runtimeDirectory);
  }

  /** Only the private directories, of those the ones that are there for this owner. */
  ContainerRules plain(OwnerJob owner) {
    return new ContainerRules(
        basePath,
        makesBasePath,
        directories.stream()
            .filter(each -> Files.isDirectory(each.path().of(owner.job().toString(), owner.user())))
            .toList(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        shared);
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
