package dev.rollcall.model.usage;

import java.util.OptionalLong;

/**
 * The values of {@code memory.stat} for a cgroup and all below it. Values that the kernel does not
 * count are absent.
 *
 * @param anonymous bytes now that are no cache of files: stacks, heaps, {@code MAP_ANONYMOUS}
 * @param sampledAnonymousPeak the highest sample of it, by the agent and not by the kernel
 * @param faults page faults since the cgroup was made, with the major ones
 * @param majorFaults page faults that waited for a disk
 */
public record MemoryDetails(
    OptionalLong anonymous,
    OptionalLong sampledAnonymousPeak,
    OptionalLong faults,
    OptionalLong majorFaults) {
  /** Nothing is counted. */
  public static final MemoryDetails NONE =
      new MemoryDetails(
          OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
}
