package dev.rollcall.linux;

import java.io.IOException;

/** A system call failed. The message reads {@code pidfd_open(pid 17) failed: ESRCH (3)}. */
public final class ErrnoException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int errno;

  /**
   * @param call as the manual names it
   * @param subject what it was called on
   */
  public ErrnoException(String call, String subject, int errno) {
    super(call + "(" + subject + ") failed: " + Errno.nameOf(errno) + " (" + errno + ")");
    this.errno = errno;
  }

  public int errno() {
    return errno;
  }

  public boolean is(Errno which) {
    return errno == which.number();
  }
}
