package dev.rollcall.linux;

/** Names of the errors that callers tell apart or people will meet, errno(3). */
public enum Errno {
  EPERM(1),
  ENOENT(2),
  ESRCH(3),
  EINTR(4),
  E2BIG(7),
  EBADF(9),
  EAGAIN(11),
  ENOMEM(12),
  EACCES(13),
  EBUSY(16),
  EEXIST(17),
  ENODEV(19),
  ENOTDIR(20),
  EINVAL(22),
  EMFILE(24),
  ENOSPC(28),
  EROFS(30),
  ENOSYS(38),
  ENODATA(61),
  ENOPROTOOPT(92),
  EOPNOTSUPP(95),
  ENOBUFS(105);

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
}
