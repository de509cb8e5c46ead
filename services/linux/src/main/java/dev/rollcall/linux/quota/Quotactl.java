package dev.rollcall.linux.quota;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;

/**
 * quotactl(2) for projects, on ext4 and XFS alike: since Linux 4.1 both take the generic requests.
 * By quotactl_fd(2) (Linux 5.14); where that is not known, as on Debian 11, by the name that udev
 * gives the device, {@code /dev/block/MAJOR:MINOR}.
 *
 * @param directory any on the file system
 * @param byDescriptor whether to try quotactl_fd(2)
 */
record Quotactl(Descriptor directory, boolean byDescriptor) {
  private static final int PROJECTS = 2; // PRJQUOTA
  private static final int GET = 0x800007; // Q_GETQUOTA
  private static final int SET = 0x800008; // Q_SETQUOTA
  private static final int STATE = 0x5808; // Q_XGETQSTATV

  /** struct if_dqblk of linux/quota.h: hard limits at 0 and 24, usage at 16 and 40, valid at 64. */
  private static final int QUOTA_SIZE = 72;

  private static final int LIMITS = 1 | 4; // QIF_BLIMITS, QIF_ILIMITS
  private static final long BLOCK = 1024; // QIF_DQBLKSIZE

  /** struct fs_quota_statv of linux/dqblk_xfs.h: version at 0, flags at 2. More than it has. */
  private static final int STATE_SIZE = 256;

  private static final int LIMITED = 1 << 5; // FS_QUOTA_PDQ_ENFD

  Quotactl(Descriptor directory) {
    this(directory, true);
  }

  /** Whether projects are counted, and their limits hold. */
  boolean limits() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE_SIZE, 8);
      state.set(JAVA_BYTE, 0, (byte) 1); // FS_QSTATV_VERSION1
      // ENOSYS, ESRCH or EINVAL: it has no quotas at all.
      return call(STATE, 0, state) >= 0 && (state.get(JAVA_SHORT, 2) & LIMITED) != 0;
    }
  }

  /**
   * What there is of a project, by the kernel's count.
   *
   * @param bytes on disk
   */
  record Usage(long bytes, long inodes) {}

  Usage usage(int project) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment quota = quota(project, arena);
      return new Usage(quota.get(JAVA_LONG, 16), quota.get(JAVA_LONG, 40));
    }
  }

  /** A project's struct if_dqblk. */
  MemorySegment quota(int project, Arena arena) throws IOException {
    MemorySegment quota = arena.allocate(QUOTA_SIZE, 8);
    long result = call(GET, project, quota);
    if (result != -Errno.ENOENT.number()) { // XFS, of one that never had any file
      check("Q_GETQUOTA", project, result);
    }
    return quota;
  }

  void limit(int project, TreeLimit limit) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment quota = arena.allocate(QUOTA_SIZE, 8);
      quota.set(JAVA_LONG, 0, Math.ceilDiv(limit.bytes(), BLOCK));
      quota.set(JAVA_LONG, 24, limit.inodes().orElse(0));
      quota.set(JAVA_INT, 64, LIMITS);
      check("Q_SETQUOTA", project, call(SET, project, quota));
    }
  }

  private long call(int request, int project, MemorySegment argument) throws IOException {
    long command = Integer.toUnsignedLong(request << 8 | PROJECTS);
    if (byDescriptor) {
      long result =
          Syscall.QUOTACTL_FD.call(directory.number(), command, project, argument.address(), 0, 0);
      // The file system may say ENOSYS as well; then the older call does, too.
      if (result != -Errno.ENOSYS.number()) {
        return result;
      }
    }
    return callByDevice(command, project, argument);
  }

  private long callByDevice(long command, int project, MemorySegment argument) throws IOException {
    long device = (Long) Files.getAttribute(directory.own(), "unix:dev");
    long major = (device >>> 8) & 0xFFF;
    long minor = (device & 0xFF) | ((device >>> 12) & 0xFFF00);
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom("/dev/block/" + major + ":" + minor).address();
      return Syscall.QUOTACTL.call(command, name, project, argument.address(), 0, 0);
    }
  }

  private static void check(String what, int project, long result) throws ErrnoException {
    Syscall.QUOTACTL.check(what + " of project " + Integer.toUnsignedString(project), result);
  }
}
