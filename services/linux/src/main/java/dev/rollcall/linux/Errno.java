package dev.rollcall.linux;

import java.util.Arrays;
import java.util.Optional;

/** Names of errors, errno(3), that the code distinguishes or that people see. */
public enum Errno {
  EPERM(1, "Operation not permitted"),
  ENOENT(2, "No such file or directory"),
  ESRCH(3, "No such process"),
  EINTR(4),
  EIO(5, "Input/output error"),
  ENXIO(6, "No such device or address"),
  E2BIG(7),
  EBADF(9),
  EAGAIN(11, "Resource temporarily unavailable"),
  ENOMEM(12, "Cannot allocate memory"),
  EACCES(13, "Permission denied"),
  EBUSY(16, "Device or resource busy"),
  EEXIST(17, "File exists"),
  EXDEV(18, "Invalid cross-device link"),
  ENODEV(19, "No such device"),
  ENOTDIR(20, "Not a directory"),
  EISDIR(21),
  EINVAL(22, "Invalid argument"),
  ENFILE(23),
  EMFILE(24),
  ENOTTY(25),
  ENOSPC(28, "No space left on device"),
  EROFS(30, "Read-only file system"),
  EPIPE(32),
  ERANGE(34, "Numerical result out of range"),
  ENOSYS(38),
  ENOTEMPTY(39, "Directory not empty"),
  ELOOP(40, "Too many levels of symbolic links"),
  ENODATA(61),
  EMSGSIZE(90),
  ENOPROTOOPT(92),
  EOPNOTSUPP(95, "Operation not supported"),
  EADDRINUSE(98),
  ECONNABORTED(103),
  ECONNRESET(104),
  ENOBUFS(105),
  ENOTCONN(107),
  ECONNREFUSED(111),
  EDQUOT(122, "Disk quota exceeded");

  private final int number;
  private final String words;

  Errno(int number) {
    this(number, "");
  }

  /**
   * @param words of strerror(3), for those that files of the kernel answer
   */
  Errno(int number, String words) {
    this.number = number;
    this.words = words;
  }

  public int number() {
    return number;
  }

  /** {@code EPERM}, or {@code errno 123} for one without a name here. */
  static String nameOf(int number) {
    return of(number).map(Errno::name).orElse("errno " + number);
  }

  /** {@code EPERM (Operation not permitted)} as far as its words are here, else its name. */
  public static String words(int number) {
    return of(number)
        .filter(errno -> !errno.words.isEmpty())
        .map(errno -> errno + " (" + errno.words + ")")
        .orElse(nameOf(number));
  }

  private static Optional<Errno> of(int number) {
    return Arrays.stream(values()).filter(errno -> errno.number == number).findAny();
  }
}
