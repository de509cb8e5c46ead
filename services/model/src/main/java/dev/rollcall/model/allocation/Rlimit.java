package dev.rollcall.model.allocation;

import static java.util.Objects.requireNonNull;

/** A resource limit of processes, getrlimit(2). {@link #UNLIMITED} stands for RLIM_INFINITY. */
public record Rlimit(Resource resource, long soft, long hard) {
  /** By the kernel's numbers, which are the ordinals (asm-generic/resource.h). */
  public enum Resource {
    CPU,
    FSIZE,
    DATA,
    STACK,
    CORE,
    RSS,
    NPROC,
    NOFILE,
    MEMLOCK,
    AS,
    LOCKS,
    SIGPENDING,
    MSGQUEUE,
    NICE,
    RTPRIO,
    RTTIME
  }

  public static final long UNLIMITED = -1;

  public Rlimit {
    requireNonNull(resource, "resource");
    if (soft < UNLIMITED || hard < UNLIMITED) {
      throw new IllegalArgumentException(
          "rlimit " + resource + " " + soft + ":" + hard + " is negative");
    }
    if (Long.compareUnsigned(soft, hard) > 0) {
      throw new IllegalArgumentException(
          "rlimit " + resource + ": soft " + soft + " is over hard " + hard);
    }
  }
}
