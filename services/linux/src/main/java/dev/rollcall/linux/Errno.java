package dev.rollcall.linux;

/** Names of errors, errno(3), that the code distinguishes or that people see. */
public enum Errno {
  EPERM(1),
  ENOENT(2),
  ESRCH(3),
  EINTR(4),
  EIO(5),
  ENXIO(6),
  E2BIG(7),
  EBADF(9),
  EAGAIN(11),
  ENOMEM(12),
  EACCES(13),
  EBUSY(16),
  EEXIST(17),
  EXDEV(18),
  ENODEV(19),
  ENOTDIR(20),
  EISDIR(21),
  EINVAL(22),
  ENFILE(23),
  EMFILE(24),
  ENOTTY(25),
  ENOSPC(28),
  EROFS(30),
  EPIPE(32),
  ERANGE(34),
  ENOSYS(38),
  ENOTEMPTY(39),
  ELOOP(40),
  ENODATA(61),
  EMSGSIZE(90),
  ENOPROTOOPT(92),
  EOPNOTSUPP(95),
  EADDRINUSE(98),
  ECONNABORTED(103),
  ECONNRESET(104),
  ENOBUFS(105),
  ENOTCONN(107),
  ECONNREFUSED(111),
  EDQUOT(122);

  private final int number;

  Errno(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /** {@code EPERM}, or {@code errno 123} for one without a name here. */
  static String nameOf(int number) {
    for (Errno errno : values()) {
      if (errno.number == number) {
        return errno.name();
      }
    }
    return "errno " + number;
  }

  /** In the words of strerror(3), for those that files of the kernel answer. */
  public static String words(int number) {
    return switch (number) {
      case 1 -> "EPERM (Operation not permitted)";
      case 2 -> "ENOENT (No such file or directory)";
      case 3 -> "ESRCH (No such process)";
      case 5 -> "EIO (Input/output error)";
      case 6 -> "ENXIO (No such device or address)";
      case 11 -> "EAGAIN (Resource temporarily unavailable)";
      case 12 -> "ENOMEM (Cannot allocate memory)";
      case 13 -> "EACCES (Permission denied)";
      case 16 -> "EBUSY (Device or resource busy)";
      case 17 -> "EEXIST (File exists)";
      case 18 -> "EXDEV (Invalid cross-device link)";
      case 19 -> "ENODEV (No such device)";
      case 20 -> "ENOTDIR (Not a directory)";
      case 22 -> "EINVAL (Invalid argument)";
      case 28 -> "ENOSPC (No space left on device)";
      case 30 -> "EROFS (Read-only file system)";
      case 34 -> "ERANGE (Numerical result out of range)";
      case 39 -> "ENOTEMPTY (Directory not empty)";
      case 40 -> "ELOOP (Too many levels of symbolic links)";
      case 95 -> "EOPNOTSUPP (Operation not supported)";
      case 122 -> "EDQUOT (Disk quota exceeded)";
      default -> nameOf(number);
    };
  }
}
