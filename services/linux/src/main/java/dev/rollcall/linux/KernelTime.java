package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads the kernel's clocks since the node's boot: clock_gettime(2). */
public enum KernelTime {
  /** CLOCK_MONOTONIC: without the time that the node slept; as bpf_ktime_get_ns has it. */
  MONOTONIC(1),
  /** CLOCK_BOOTTIME: with that time. */
  BOOT(7);

  private static final long NANOS = 1_000_000_000;

  private final int id;

  KernelTime(int id) {
    this.id = id;
  }

  /** In ns. */
  public long now() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(JAVA_LONG, 2); // struct timespec
      Syscall.CLOCK_GETTIME.call(id, time.address(), 0);
      return time.getAtIndex(JAVA_LONG, 0) * NANOS + time.getAtIndex(JAVA_LONG, 1);
    }
  }
}
