package dev.rollcall.jobs.slurm;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.rollcall.linux.files.OwnDirectory;
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
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
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

  private static final String REMOVED = ".removed";

  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** The limit of fusermount3(1) for users. */
  private static final int MOST_MOUNTS = 1_000;

  private final Optional<Path> base;
  private final Set<JobId> made = ConcurrentHashMap.newKeySet();
  private final AtomicLong removals = new AtomicLong(System.nanoTime());

  /** One for all: any number of jobs may end together. It exists while there is something to do. */
  private final Executor thread =
      new ThreadPoolExecutor(
          0,
          1,
          1,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("rollcall-runtime").factory());

  private RuntimeDirectories(Optional<Path> base) {
    this.base = base;
  }

  /**
   * @param base empty: jobs have no such directory
   * @throws IOException naming the path, if the tmpfs cannot be mounted there
   */
  static RuntimeDirectories open(Optional<Path> base) throws IOException {
    var directories = new RuntimeDirectories(base);
    if (base.isPresent()) {
      Files.createDirectories(base.get());
      if (!MountPoints.has(base.get())) {
        Mount.tmpfs(base.get(), EnumSet.of(MountFlag.NOSUID, MountFlag.NODEV), TMPFS);
      }
      directories.resume();
    }
    return directories;
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

  /**
   * Removes the directories of all jobs but these: others ended while no agent ran, or their users
   * mounted over them again and again.
   */
  void keep(Set<JobId> jobs) {
    if (base.isEmpty()) {
      return;
    }
    Set<String> names = jobs.stream().map(JobId::toString).collect(Collectors.toSet());
    try (DirectoryStream<Path> all = Files.newDirectoryStream(base.get())) {
      for (Path each : all) {
        String name = each.getFileName().toString();
        if (!names.contains(name) && name.matches("[0-9]{1,10}")) {
          remove(each);
        }
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot list {0}: {1}", base.get(), e.toString());
    }
  }

  /**
   * Moves it aside at once, as its path may be needed for the job's next run: to where no user
   * reaches it, who could mount something on it.
   */
  private void remove(Path directory) {
    String name = Long.toString(removals.incrementAndGet());
    try (OwnDirectory removed = OwnDirectory.make(directory.resolveSibling(REMOVED))) {
      for (int mounts = 0; mounts < MOST_MOUNTS && Mount.detach(directory); mounts++) {
        // What its user mounted over it; a mount point could not be moved.
      }
      removed.take(directory, name);
      thread.execute(() -> empty(directory.resolveSibling(REMOVED), name));
    } catch (NoSuchFileException none) {
      return;
    } catch (IOException e) {
      LOG.log(WARNING, "cannot remove {0}: {1}", directory, e.toString());
    }
  }

  /** Goes on with what the last run of the agent moved aside. */
  private void resume() throws IOException {
    Path aside = base.orElseThrow().resolve(REMOVED);
    try (OwnDirectory removed = OwnDirectory.make(aside)) {
      removed.names().forEach(name -> thread.execute(() -> empty(aside, name)));
    }
  }

  private static void empty(Path aside, String name) {
    Path directory = aside.resolve(name);
    try (OwnDirectory removed = OwnDirectory.open(aside)) {
      TreeRemoval.Report report = removed.remove(name, () -> true, new LongAdder());
      for (int rounds = 0;
          !report.clean() && rounds < MOST_MOUNTS && detached(directory);
          rounds++) {
        report = removed.remove(name, () -> true, new LongAdder());
      }
      if (!report.clean()) {
        LOG.log(WARNING, "cannot remove {0}: {1}", directory, report.left());
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot remove {0}: {1}", directory, e.toString());
    }
  }

  /**
   * Detaches what users mounted below a directory, as gvfs and the document portal do. To be called
   * when no more could be removed: then all directories on the way are root's, and no user replaces
   * one by a symbolic link.
   */
  private static boolean detached(Path directory) throws IOException {
    boolean any = false;
    for (Path mounted : MountPoints.below(directory).keySet()) {
      any |= Mount.detach(mounted);
    }
    return any;
  }
}
