package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.rollcall.linux.files.TreeRemoval;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.mount.MountFlag;
import dev.rollcall.linux.mount.MountPoints;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Makes a directory for {@code XDG_RUNTIME_DIR} of each job and removes it with the job: {@code
 * BASE/JOB}, 0700 and the owner's, all on one tmpfs. Files that a job writes there are charged to
 * the memory of its cgroup. Thread-safe.
 */
final class RuntimeDirectories {
  private static final System.Logger LOG = System.getLogger(RuntimeDirectories.class.getName());

  /**
   * The size that logind gives a user's, logind.conf(5). Files are not counted: one job's would
   * keep others from having a directory. Each is charged to the memory of its job's cgroup, an
   * empty one with 957 bytes (Linux 6.18).
   */
  private static final String TMPFS = "size=10%,nr_inodes=0,mode=0755";

  private static final String REMOVED = ".removed-";

  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** The limit of fusermount3(1) for users. */
  private static final int MOST_MOUNTS = 1_000;

  private final Optional<Path> base;
  private final Set<JobId> made = ConcurrentHashMap.newKeySet();
  private final AtomicLong removals = new AtomicLong(System.nanoTime());

  private RuntimeDirectories(Optional<Path> base) {
    this.base = base;
  }

  /**
   * @param base empty: jobs have no such directory
   * @throws IOException naming the path, if the tmpfs cannot be mounted there
   */
  static RuntimeDirectories open(Optional<Path> base) throws IOException {
    if (base.isPresent()) {
      Files.createDirectories(base.get());
      if (!MountPoints.has(base.get())) {
        Mount.tmpfs(base.get(), EnumSet.of(MountFlag.NOSUID, MountFlag.NODEV), TMPFS);
      }
    }
    return new RuntimeDirectories(base);
  }

  /** Makes the job's directory, unless it has one. The job's owner is known. */
  void make(Job job) {
    if (base.isEmpty() || made.contains(job.id())) {
      return;
    }
    Path directory = base.get().resolve(job.id().toString());
    try {
      // One that is there is of this job before the agent's restart, or of an earlier job with its
      // number. A file system that its user mounted over it may be silent, and is not asked.
      if (!create(directory, job) && !MountPoints.has(directory) && owner(directory) != job.uid()) {
        remove(directory);
        create(directory, job);
      }
      made.add(job.id());
    } catch (IOException e) {
      LOG.log(
          WARNING, "job {0} has no runtime directory {1}: {2}", job.id(), directory, e.toString());
    }
  }

  /** False if something is there. */
  private static boolean create(Path directory, Job job) throws IOException {
    try {
      Files.createDirectory(directory, OWNERS_ONLY);
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    if (job.gid() >= 0) {
      Files.setAttribute(directory, "unix:gid", job.gid(), NOFOLLOW_LINKS);
    }
    Files.setAttribute(directory, "unix:uid", job.uid(), NOFOLLOW_LINKS);
    return true;
  }

  private static int owner(Path directory) throws IOException {
    return (Integer) Files.getAttribute(directory, "unix:uid", NOFOLLOW_LINKS);
  }

  /** The variable of the job's sessions; none if it has no directory. */
  Map<String, String> environment(JobId job) {
    return base.isPresent() && made.contains(job)
        ? Map.of("XDG_RUNTIME_DIR", base.get().resolve(job.toString()).toString())
        : Map.of();
  }

  /** Removes the directory of a job that has ended. */
  void remove(JobId job) {
    if (base.isPresent()) {
      made.remove(job);
      remove(base.get().resolve(job.toString()));
    }
  }

  /** Removes the directories of all jobs but these: others ended while no agent ran. */
  void keep(Set<JobId> jobs) {
    if (base.isEmpty()) {
      return;
    }
    Set<String> names = jobs.stream().map(JobId::toString).collect(Collectors.toSet());
    try (DirectoryStream<Path> all = Files.newDirectoryStream(base.get())) {
      for (Path each : all) {
        String name = each.getFileName().toString();
        if (name.startsWith(REMOVED)) {
          removeLater(each);
        } else if (!names.contains(name) && name.matches("[0-9]{1,10}")) {
          remove(each);
        }
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot list {0}: {1}", base.get(), e.toString());
    }
  }

  /** Moves it aside at once, as its path may be needed for the job's next run. */
  private void remove(Path directory) {
    Path aside = directory.resolveSibling(REMOVED + removals.incrementAndGet());
    try {
      for (int mounts = 0; mounts < MOST_MOUNTS && Mount.detach(directory); mounts++) {
        // What its user mounted over it; a mount point could not be moved.
      }
      Files.move(directory, aside);
      removeLater(aside);
    } catch (NoSuchFileException none) {
      return;
    } catch (IOException e) {
      LOG.log(WARNING, "cannot remove {0}: {1}", directory, e.toString());
    }
  }

  private static void removeLater(Path directory) {
    Thread.ofPlatform()
        .daemon()
        .name("runtime-directory")
        .start(() -> {
          try {
            TreeRemoval.empty(directory, () -> true);
            Files.deleteIfExists(directory);
          } catch (IOException e) {
            LOG.log(WARNING, "cannot remove {0}: {1}", directory, e.toString());
          }
        });
  }
}
