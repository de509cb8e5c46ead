package dev.rollcall.linux.process;

import dev.rollcall.linux.Syscall;

/**
 * Sets the priority of the calling thread, which Java's own priority does not change on Linux
 * without a flag.
 */
public final class ThreadPriority {
  private static final int PRIO_PROCESS = 0;
  private static final int NICEST = 19;

  private ThreadPriority() {}

  /**
   * The lowest, of CPU and, as the kernel derives it, of input and output. On Linux the nice value
   * is a thread's own (setpriority(2), "C library/kernel differences").
   */
  public static void lowest() {
    Syscall.SETPRIORITY.call(PRIO_PROCESS, 0, NICEST); // never refused
  }
}
