package dev.rollcall.jobs.container;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.mount.Mount.Propagation;
import dev.rollcall.linux.mount.MountNamespace;
import dev.rollcall.linux.mount.MountPoints;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NamespaceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files that keep the namespaces of jobs, {@code DIRECTORY/JOB/mnt}, named as in /proc/PID/ns.
 * The directory can be searched by everybody, as the jobs' numbers are no secret; a job's own by
 * root alone, unless it is opened to the job's group. The directory is a private mount: what is
 * pinned in it spreads to no namespace, and a job's own namespace drops it with one unmount. It
 * outlives the agent, not the node.
 */
final class Pins {
  private static final FileAttribute<Set<PosixFilePermission>> ROOTS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path directory;

  private Pins(Path directory) {
    this.directory = directory;
  }

  /**
   * @param directory nobody but root may be able to change it
   * @param wanted whether it is made if it is missing: a node without containers has none
   */
  static Pins open(Path directory, boolean wanted) throws IOException {
    if (!wanted && !Files.exists(directory)) {
      return new Pins(directory);
    }
    Path run = directory.getParent();
    if (run != null) {
      Files.createDirectories(run);
    }
    Files.createDirectories(directory, ROOTS);
    RootPath.require(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    if (!MountPoints.has(directory)) {
      Mount.bind(directory, directory);
      Mount.propagate(directory, Propagation.PRIVATE);
    }
    return new Pins(directory);
  }

  Path directory() {
    return directory;
  }

  Path file(JobId job, NamespaceType kind) {
    return of(job).resolve(kind.word());
  }

  /** The directory of a job's files. */
  Path of(JobId job) {
    return directory.resolve(job.toString());
  }

  /** The file of the variables that go with a job's namespaces, {@code NAME=value} on each line. */
  Path variables(JobId job) {
    return of(job).resolve("variables");
  }

  Path rules(JobId job) {
    return of(job).resolve("rules");
  }

  /** Makes the file that a namespace will be bound to. */
  void make(JobId job, NamespaceType kind) throws IOException {
    Files.createDirectories(of(job), ROOTS);
    Files.createFile(file(job, kind));
  }

  /** Lets the job's group open its files by name; they cannot be listed. */
  void admit(OwnerJob owner) throws IOException {
    Files.setAttribute(of(owner.job()), "unix:gid", owner.gid());
    Files.setPosixFilePermissions(of(owner.job()), PosixFilePermissions.fromString("rwx--x---"));
  }

  void pin(JobId job, NamespaceType kind, Descriptor namespace) throws IOException {
    MountNamespace.pin(namespace, file(job, kind));
  }

  /** Keeps this namespace by the file, and no longer the one before. */
  void replace(JobId job, NamespaceType kind, Descriptor namespace) throws IOException {
    Mount.detach(file(job, kind));
    pin(job, kind, namespace);
  }

  /** Whether the job has a file here. */
  boolean has(JobId job) {
    return Files.exists(of(job));
  }

  boolean keeps(JobId job, NamespaceType kind) throws IOException {
    return MountNamespace.isPinned(file(job, kind));
  }

  /** Lets the namespaces of the job go: they end when no process is in them. */
  void drop(JobId job) throws IOException {
    Path own = of(job);
    try (Stream<Path> files = Files.list(own)) {
      for (Path file : files.toList()) {
        if (MountNamespace.isPinned(file)) {
          Mount.detach(file);
        }
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException none) {
      return;
    }
    Files.deleteIfExists(own);
  }

  /** The jobs that have files here. Other files are ignored. */
  List<JobId> jobs() throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children
          .flatMap(child -> JobId.find(String.valueOf(child.getFileName())).stream())
          .toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }
}
