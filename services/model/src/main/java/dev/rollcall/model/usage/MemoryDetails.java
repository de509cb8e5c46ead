package dev.rollcall.model.usage;

import java.util.OptionalLong;

/**
 * The values of {@code memory.stat} for a cgroup and all below it. Values that the kernel does not
 * count are absent.
 *
 * @param anonymous bytes now that belong to no file: stacks, heaps, {@code MAP_ANONYMOUS}
 * @param shared bytes now of {@code /dev/shm}, System V segments and other tmpfs
 * @param cache bytes now of the cache of files, which the kernel can take back
 * @param sampledRequiredPeak the highest sample of anonymous and shared memory together, by the
 *     agent and not by the kernel
 * @param faults page faults since the cgroup was made, with the major ones
 * @param majorFaults page faults that waited for a disk
 */
public record MemoryDetails(
    OptionalLong anonymous,
    OptionalLong shared,
    OptionalLong cache,
    OptionalLong sampledRequiredPeak,
    OptionalLong faults,
    OptionalLong majorFaults) {
  /** Nothing is counted. */
  public static final MemoryDetails NONE =
      new MemoryDetails(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty());
}
