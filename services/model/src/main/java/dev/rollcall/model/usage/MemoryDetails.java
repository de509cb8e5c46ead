package dev.rollcall.model.usage;

import java.util.OptionalLong;

/**
 * What {@code memory.stat} has of a cgroup and all below it. What the kernel does not count is
 * absent.
 *
 * @param anonymous bytes now that are no cache of files: stacks, heaps, {@code MAP_ANONYMOUS}
 * @param faults page faults since the cgroup was made, with the major ones
 * @param majorFaults page faults that waited for a disk
 */
public record MemoryDetails(OptionalLong anonymous, OptionalLong faults, OptionalLong majorFaults) {
  /** Nothing is counted. */
  public static final MemoryDetails NONE =
      new MemoryDetails(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
}
