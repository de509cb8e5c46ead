package dev.rollcall.linux.quota;

import static java.util.Objects.requireNonNull;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Limits the size of directories. All needs CAP_SYS_ADMIN, in the initial user namespace.
 *
 * <p>On <b>btrfs</b> such a directory is a subvolume with a qgroup, and quotas have to be on
 * already: {@code btrfs quota enable --simple} (Linux 6.7), or without {@code --simple}. btrfs
 * limits no inodes. A user may make subvolumes in it, and snapshots of it:
 *
 * <ul>
 *   <li>With simple quotas they count as part of it. A user can ask the kernel that one shall not
 *       (BTRFS_SUBVOL_QGROUP_INHERIT with no qgroup); the next {@link #tend} adds it, and as it was
 *       written until then, the whole may be beyond its limit, and takes no more.
 *   <li>With full quotas they have no limit until the next {@link #tend}, after which nothing can
 *       be written into them. What is in them is not counted.
 *   <li>With full quotas any user who can make snapshots can make the accounting inconsistent. Then
 *       the kernel counts nothing on this file system, and so limits nothing, until {@code btrfs
 *       quota rescan}; {@link #make} and {@link #tend} fail. So simple quotas are better.
 * </ul>
 *
 * <p>On <b>ext4 and XFS</b> it has a project of its own, which what is made in it inherits; hard
 * links and moves between projects are refused with EXDEV. The file system has to be mounted with
 * {@code prjquota}, and ext4 made with {@code mkfs.ext4 -O quota,project}. Limits do not hold for
 * processes with CAP_SYS_RESOURCE. <b>They do not hold for users who mean to get around them,
 * either:</b> who owns a file may change its project (FS_IOC_FSSETXATTR, {@code chattr -p}; since
 * Linux 6.17 file_setattr(2)) if the process is in the initial user namespace, and needs no
 * privilege (fileattr_set_prepare() in the kernel's fs/). No mount option changes that. What does:
 * the job in a user namespace (EINVAL), a seccomp filter or security module that refuses the call.
 * What bounds it: a quota of the user's on the same file system, which holds as well.
 *
 * <p>A process that is at the limit gets EDQUOT, on XFS ENOSPC. All limits are gone when an
 * administrator turns the quotas of btrfs off.
 *
 * <p>tmpfs is limited when it is mounted. Other file systems are refused.
 */
public final class TreeQuota {
  private static final int RENAME_NOREPLACE = 1;
  private static final Set<FileSystemType> LIMITING =
      EnumSet.of(FileSystemType.BTRFS, FileSystemType.EXT4, FileSystemType.XFS);

  /**
   * What {@link #tend} did.
   *
   * @param enclosed subvolumes of users that had got around a limit
   * @param released limits of directories that are gone
   */
  public record Tended(int enclosed, int released) {}

  private TreeQuota() {}

  /**
   * Makes an empty directory with a limit, its caller's own and with mode 0700. It gets its name
   * last: if this fails, or the machine does, there is nothing of the name. After a crash there may
   * be an empty directory {@code .rollcall-draft-...} beside it.
   *
   * @param directory in one that nobody but root can write to
   * @throws FileAlreadyExistsException if there is something
   * @throws IOException naming the directory and what is missing: quotas that are off, a file
   *     system that has none, a limit that it does not know
   */
  public static void make(Path directory, TreeLimit limit) throws IOException {
    Path above = requireNonNull(directory.toAbsolutePath().getParent(), "no directory above");
    FileSystemType type = limiting(above, directory);
    long random = ThreadLocalRandom.current().nextLong();
    Path draft = above.resolve(".rollcall-draft-" + Long.toHexString(random));
    try {
      if (type == FileSystemType.BTRFS) {
        Subvolumes.make(draft, limit);
      } else {
        Projects.make(draft, limit);
      }
      move(draft, directory);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(directory + ": cannot be limited: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static void move(Path draft, Path directory) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long from = arena.allocateFrom(draft.toString()).address();
      long to = arena.allocateFrom(directory.toString()).address();
      long moved =
          Syscall.RENAMEAT2.call(
              Descriptor.AT_FDCWD, from, Descriptor.AT_FDCWD, to, RENAME_NOREPLACE, 0);
      if (moved == -Errno.EEXIST.number()) {
        throw new FileAlreadyExistsException(directory.toString());
      }
      if (moved == -Errno.EXDEV.number()) {
        throw new IOException(
            "the directory above is in a project itself and hands it down: chattr -P %s"
                .formatted(directory.getParent()));
      }
      Syscall.RENAMEAT2.check(draft + " to " + directory, moved);
    }
  }

  /**
   * Does what is to be done from time to time on a file system with limited directories: takes
   * users' subvolumes into the limits that they got around, and releases the qgroups of directories
   * that are gone, which may be seconds after the removal of one (btrfs's cleaner). The more often,
   * the less can be written beyond a limit. Costs nothing on other file systems than btrfs: their
   * limits need neither.
   *
   * @param onIt a directory on the file system that is in none of the limited ones
   * @throws IOException naming it, if its limits are out of work; what can be done was done
   */
  public static Tended tend(Path onIt) throws IOException {
    return FileSystemType.of(onIt).equals(Optional.of(FileSystemType.BTRFS))
        ? Subvolumes.tend(onIt)
        : new Tended(0, 0);
  }

  private static FileSystemType limiting(Path above, Path directory) throws IOException {
    Optional<FileSystemType> type = FileSystemType.of(above).filter(LIMITING::contains);
    if (type.isEmpty()) {
      throw new IOException(
          "%s: cannot be limited: its file system is %s, and only btrfs, ext4 and XFS limit a directory;%s"
              .formatted(
                  directory,
                  FileSystemType.nameAt(above),
                  " set no limit, or put it on one of them"));
    }
    return type.get();
  }
}
