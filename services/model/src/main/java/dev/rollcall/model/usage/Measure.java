package dev.rollcall.model.usage;

/**
 * A number that the kernel has of a cgroup. Times are in microseconds, amounts in bytes.
 *
 * <p>Those that begin with {@code PRESSURE} are the time in which some ({@code WAITING}) or all
 * ({@code STALLED}) processes waited for a resource (Documentation/accounting/psi.rst).
 */
public enum Measure {
  CPU_USER(true),
  CPU_SYSTEM(true),
  /** The time for which the cgroup's quota stopped its processes. */
  CPU_THROTTLED(true),
  MEMORY(false),
  MEMORY_PEAK(true),
  MEMORY_LIMIT(false),
  /** Bytes above which the kernel takes memory back; {@link #MEMORY_LIMIT} without such a bound. */
  MEMORY_ALLOTTED(false),
  /** Memory of no file: it stays until it is freed or swapped out. */
  MEMORY_ANONYMOUS(false),
  /** Page cache, with shared memory. */
  MEMORY_CACHE(false),
  /** How often the limit was hit (v1), or left no memory that could be had (v2). */
  MEMORY_FAILURES(true),
  SWAP(false),
  OOM_KILLS(true),
  READ_BYTES(true),
  WRITTEN_BYTES(true),
  READS(true),
  WRITES(true),
  PROCESSES(false),
  /** Processes and their threads. */
  THREADS(false),
  PRESSURE_CPU_WAITING(true),
  PRESSURE_CPU_STALLED(true),
  PRESSURE_MEMORY_WAITING(true),
  PRESSURE_MEMORY_STALLED(true),
  PRESSURE_IO_WAITING(true),
  PRESSURE_IO_STALLED(true),
  /** Thousandths of CPUs that the cpuset or the quota permits, the less of both. */
  CPUS(false);

  private final boolean grows;

  Measure(boolean grows) {
    this.grows = grows;
  }

  /** Whether it only grows while the cgroup exists, so that it is still true after its end. */
  public boolean grows() {
    return grows;
  }
}
