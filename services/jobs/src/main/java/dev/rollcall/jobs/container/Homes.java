package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.quota.TreeQuota;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directories of jobs below base paths: {@code BASE/JOB}, 0700 and root's. Each has a file that
 * says which node made it in which boot; what has none is not ours and stays as it is.
 */
record Homes(String node, String bootId, Removals removals) {
  private static final System.Logger LOG = System.getLogger(Homes.class.getName());
  private static final String MARK = ".rollcall";
  private static final String BLANK = ".blank";
  private static final int LONGEST_MARK = 1_024;
  private static final Object ROOT = 0;

  /** One that is there. */
  record Found(JobId job, boolean ofThisBoot) {}

  /** Where a job's directory is. */
  static Path of(Path base, JobId job) {
    return base.resolve(job.toString());
  }

  /** Where an empty file of it is. */
  static Path blank(Path base, JobId job) {
    return of(base, job).resolve(BLANK);
  }

  /** Makes an empty file that nobody but root may read. */
  static void makeBlank(Path file) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("---------")));
  }

  /**
   * Makes a base path that is not there, if the site wants that.
   *
   * @throws IOException naming the path, if it is no directory or may be written by others than
   *     root
   */
  static void require(Path base, boolean makes) throws IOException {
    if (makes && Files.notExists(base)) {
      Files.createDirectories(
          base, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }
    if (!Files.isDirectory(base)) {
      throw new IOException(
          base
              + (Files.exists(base)
                  ? " is not a directory"
                  : " is not there, and AutoBasePath is no"));
    }
    RootPath.require(base);
  }

  /**
   * Makes a job's directory, with its mark in it from the beginning.
   *
   * @throws FileAlreadyExistsException if anything is there by that name
   */
  void make(Path base, JobId job) throws IOException {
    Path home = of(base, job);
    if (Files.exists(home, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(home + " is there already");
    }
    Path fresh = base.resolve(halfMade() + job);
    Files.createDirectory(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try {
      Files.writeString(fresh.resolve(MARK), mark(job));
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // Without its mark nobody would know it for ours, and the job's next one finds it in its way.
      Files.deleteIfExists(fresh.resolve(MARK));
      Files.deleteIfExists(fresh);
      throw e;
    }
  }

  /** How the names of directories begin that have no mark yet. */
  private String halfMade() {
    return ".rollcall-" + node + "-new-";
  }

  /** Removes what an agent that died left half made. */
  void removeHalfMade(Path base) throws IOException {
    for (Path child : children(base)) {
      if (String.valueOf(child.getFileName()).startsWith(halfMade())) {
        removals.put(child);
      }
    }
  }

  private static List<Path> children(Path base) throws IOException {
    try (Stream<Path> children = Files.list(base)) {
      return children.toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  private String mark(JobId job) {
    return "node %s%njob %s%nboot %s%n".formatted(node, job, bootId);
  }

  /** Moves a job's directory aside, to be removed later; nothing where there is none of ours. */
  void remove(Path base, JobId job) throws IOException {
    Path home = of(base, job);
    if (Files.exists(home, LinkOption.NOFOLLOW_LINKS) && found(home, job).isPresent()) {
      removals.put(home);
    }
  }

  /** Makes a private directory's backing, the owner's. */
  static void back(Path directory, OwnerJob owner, ContainerRules.Disk disk) throws IOException {
    if (disk.limit().isPresent()) {
      TreeQuota.make(directory, disk.limit().get());
    } else {
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    Files.setAttribute(directory, "unix:gid", owner.gid(), LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(directory, "unix:uid", owner.uid(), LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(directory, "unix:mode", disk.mode(), LinkOption.NOFOLLOW_LINKS);
  }

  /** Ours below a base path, of any job. */
  List<Found> in(Path base) throws IOException {
    List<Found> found = new ArrayList<>();
    for (Path child : children(base)) {
      String name = String.valueOf(child.getFileName());
      JobId.find(name).flatMap(job -> found(child, job)).ifPresent(found::add);
    }
    return found;
  }

  /** A job's directory below a base path, and what was moved aside of it. */
  List<Path> left(Path base, JobId job) throws IOException {
    List<Path> left = new ArrayList<>();
    Path home = of(base, job);
    if (Files.exists(home, LinkOption.NOFOLLOW_LINKS) && found(home, job).isPresent()) {
      left.add(home);
    }
    left.addAll(RemovalDirectory.in(base, node).of(job));
    return left;
  }

  private Optional<Found> found(Path home, JobId job) {
    Path file = home.resolve(MARK);
    try {
      boolean fits =
          Files.isDirectory(home, LinkOption.NOFOLLOW_LINKS)
              && ROOT.equals(Files.getAttribute(home, "unix:uid", LinkOption.NOFOLLOW_LINKS))
              && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
              && Files.size(file) <= LONGEST_MARK;
      if (!fits) {
        return Optional.empty();
      }
      List<String> lines = Files.readAllLines(file);
      return lines.contains("node " + node) && lines.contains("job " + job)
          ? Optional.of(new Found(job, lines.contains("boot " + bootId)))
          : Optional.empty();
    } catch (IOException e) {
      LOG.log(WARNING, "{0} stays: {1}", home, e.toString());
      return Optional.empty();
    }
  }
}
