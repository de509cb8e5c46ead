package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The system calls in use, with their numbers on x86_64 and on aarch64 (asm-generic). */
public enum Syscall {
  READ(0, 63),
  WRITE(1, 64),
  CLOSE(3, 57),
  LSEEK(8, 62),
  MMAP(9, 222),
  MUNMAP(11, 215),
  IOCTL(16, 29),
  MADVISE(28, 233),
  SOCKET(41, 198),
  CONNECT(42, 203),
  SENDTO(44, 206),
  RECVFROM(45, 207),
  SENDMSG(46, 211),
  RECVMSG(47, 212),
  SHUTDOWN(48, 210),
  BIND(49, 200),
  LISTEN(50, 201),
  SETSOCKOPT(54, 208),
  GETSOCKOPT(55, 209),
  FCNTL(72, 25),
  FCHMOD(91, 52),
  FCHOWN(93, 55),
  GETEUID(107, 175),
  STATFS(137, 43),
  SETPRIORITY(141, 140),
  MOUNT(165, 40),
  UMOUNT2(166, 39),
  QUOTACTL(179, 60),
  SETXATTR(188, 5),
  GETXATTR(191, 8),
  SCHED_SETAFFINITY(203, 122),
  GETDENTS64(217, 61),
  CLOCK_GETTIME(228, 113),
  EPOLL_CTL(233, 21),
  INOTIFY_ADD_WATCH(254, 27),
  INOTIFY_RM_WATCH(255, 28),
  OPENAT(257, 56),
  MKDIRAT(258, 34),
  UNLINKAT(263, 35),
  PPOLL(271, 73),
  UNSHARE(272, 97),
  EPOLL_PWAIT(281, 22),
  ACCEPT4(288, 242),
  EVENTFD2(290, 19),
  EPOLL_CREATE1(291, 20),
  PIPE2(293, 59),
  INOTIFY_INIT1(294, 26),
  SETNS(308, 268),
  RENAMEAT2(316, 276),
  BPF(321, 280),
  STATX(332, 291),
  PIDFD_SEND_SIGNAL(424, 424),
  FSOPEN(430, 430),
  FSCONFIG(431, 431),
  FSMOUNT(432, 432),
  PIDFD_OPEN(434, 434),
  OPENAT2(437, 437),
  QUOTACTL_FD(443, 443);

  private static final boolean AARCH64 = isAarch64(System.getProperty("os.arch"));
  private static final MethodHandle HANDLE = handle();

  /** One for each thread: errno is captured into it before the JVM can change errno. */
  private static final ThreadLocal<MemorySegment> ERRNO =
      ThreadLocal.withInitial(
          () -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout())); // errno at offset 0

  private final long number;

  Syscall(int x86, int aarch64) {
    this.number = isAarch64(System.getProperty("os.arch")) ? aarch64 : x86;
  }

  /** Whether it is aarch64, and not x86_64. On others these numbers are those of other calls. */
  static boolean isAarch64(String architecture) {
    return switch (architecture) {
      case "aarch64" -> true;
      case "amd64" -> false;
      default ->
          throw new UnsupportedOperationException(
              "this machine is " + architecture + ", and its system calls are not known");
    };
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        Linker.Option.firstVariadicArg(1),
        Linker.Option.captureCallState("errno"));
  }

  /** The result, or the negated errno. Never throws. */
  public long call(long a, long b, long c, long d, long e, long f) {
    MemorySegment errno = ERRNO.get();
    try {
      long result = (long) HANDLE.invokeExact(errno, number, a, b, c, d, e, f);
      return result == -1 ? -errno.get(JAVA_INT, 0) : result;
    } catch (Throwable t) {
      throw new AssertionError("syscall(2) throws nothing", t);
    }
  }

  public long call(long a, long b, long c) {
    return call(a, b, c, 0, 0, 0);
  }

  public long call(long a) {
    return call(a, 0, 0, 0, 0, 0);
  }

  /**
   * The result of this call.
   *
   * @param subject what it was called on, for the message
   * @throws ErrnoException if the result is a negated errno
   */
  public long check(String subject, long result) throws ErrnoException {
    if (result < 0) {
      throw new ErrnoException(nameInManual(), subject, (int) -result);
    }
    return result;
  }

  /** Whether this is aarch64, whose flags of open(2) differ from x86_64's. */
  public static boolean aarch64() {
    return AARCH64;
  }

  /** Whether {@code epoll_event} is packed, as it is on x86_64 alone (epoll_ctl(2)). */
  public static boolean packedEpollEvent() {
    return !AARCH64;
  }

  private String nameInManual() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
