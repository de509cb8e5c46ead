package dev.rollcall.jobs.container;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.mount.Mount;
import dev.rollcall.linux.mount.MountFlag;
import dev.rollcall.linux.mount.MountPoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Takes what a job may not change, or not see, out of its namespace.
 *
 * @param blank an empty file of root's, which is shown in the place of a hidden one
 */
record Narrowing(List<View.At> readOnly, List<View.At> hidden, Path blank) {
  static final Set<MountFlag> SEALED =
      EnumSet.of(MountFlag.RO, MountFlag.NOSUID, MountFlag.NODEV, MountFlag.NOEXEC);

  /** Writes to these do not store data, but control the kernel. */
  private static final List<Path> KERNELS =
      List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));

  /**
   * Mounts at and below the paths become read-only, but for those at the exceptions, and for the
   * kernel's own, unless one of these is named itself.
   *
   * @param exceptions without symbolic links
   */
  void restrict(Sequence steps, List<Path> exceptions) throws ContainerException {
    for (View.At at : readOnly) {
      steps.step("make " + at.path() + " read-only", () -> restrict(at, exceptions));
    }
  }

  private static void restrict(View.At at, List<Path> exceptions) throws IOException {
    if (isMissing(at)) {
      return;
    }
    Path top = RootPath.to(at.path());
    if (!MountPoints.has(top)) {
      Mount.bindBelow(top, top);
    }
    for (var mount : MountPoints.below(top).entrySet()) {
      if (!isKept(mount.getKey(), top, exceptions)) {
        restrict(mount.getKey(), mount.getValue());
      }
    }
  }

  private static boolean isKept(Path mount, Path top, List<Path> exceptions) {
    return exceptions.stream().anyMatch(mount::startsWith)
        || KERNELS.stream().anyMatch(path -> mount.startsWith(path) && !top.startsWith(path));
  }

  private static void restrict(Path mount, Set<MountFlag> before) throws IOException {
    var flags = EnumSet.of(MountFlag.RO);
    flags.addAll(before);
    try {
      Mount.restrict(mount, flags);
    } catch (ErrnoException e) {
      // Another mount covers it: nobody gets there.
      if (!e.is(Errno.ENOENT)) {
        throw e;
      }
    }
  }

  /** Empty and sealed directories and files go on top of the paths. */
  void hide(Sequence steps) throws ContainerException {
    for (View.At at : hidden) {
      steps.step("hide " + at.path(), () -> hide(at));
    }
  }

  private void hide(View.At at) throws IOException {
    if (isMissing(at)) {
      return;
    }
    Path path = RootPath.to(at.path());
    if (Files.isDirectory(path)) {
      seal(path);
    } else {
      Mount.bind(blank, path);
      Mount.restrict(path, SEALED);
    }
  }

  /**
   * Hides what is visible at the paths, from within the namespace of a job that runs.
   *
   * @param room a directory in which a file system can be mounted for a moment: the blank file of
   *     the job's start is not visible here
   * @return what was visible
   */
  static List<Path> hideAgain(List<View.At> hidden, Path room) throws IOException {
    List<Path> visible = new ArrayList<>();
    for (View.At at : hidden) {
      if (Files.exists(at.path())) {
        Path path = RootPath.to(at.path());
        if (!MountPoints.isRoot(path)) {
          hideAgain(path, room);
          visible.add(path);
        }
      }
    }
    return visible;
  }

  private static void hideAgain(Path path, Path room) throws IOException {
    if (Files.isDirectory(path)) {
      seal(path);
      return;
    }
    Mount.tmpfs(
        room,
        EnumSet.of(MountFlag.NOSUID, MountFlag.NODEV, MountFlag.NOEXEC),
        "size=4k,nr_inodes=2,mode=0700");
    try {
      Path file = room.resolve("blank");
      Homes.makeBlank(file);
      Mount.bind(file, path);
      Mount.restrict(path, SEALED);
    } finally {
      Mount.detach(room);
    }
  }

  /** Shows an empty directory that nobody can open, or write to. */
  static void seal(Path directory) throws IOException {
    Mount.tmpfs(directory, SEALED, "size=4k,nr_inodes=2,mode=0");
  }

  /** Whether what is hidden hides this, too. */
  boolean hides(Path path) {
    return hidden.stream().anyMatch(at -> path.startsWith(at.path()));
  }

  private static boolean isMissing(View.At at) throws IOException {
    boolean missing = Files.notExists(at.path());
    if (missing && !at.mayBeMissing()) {
      throw new IOException(at.path() + " is not there");
    }
    return missing;
  }
}
