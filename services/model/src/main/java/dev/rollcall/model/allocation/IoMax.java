package dev.rollcall.model.allocation;

import java.util.OptionalLong;

/**
 * Bounds of one block device: {@code io.max} of v2, {@code blkio.throttle.*} of v1. Each a second,
 * at least 1; absent: no bound.
 */
public record IoMax(
    int major,
    int minor,
    OptionalLong readBytes,
    OptionalLong writeBytes,
    OptionalLong readOperations,
    OptionalLong writeOperations) {
  public IoMax {
    if (major < 0 || minor < 0) {
      throw new IllegalArgumentException(major + ":" + minor + " is not a block device");
    }
    for (OptionalLong bound :
        new OptionalLong[] {readBytes, writeBytes, readOperations, writeOperations}) {
      if (bound.isPresent() && bound.getAsLong() < 1) {
        throw new IllegalArgumentException(
            "bound " + bound.getAsLong() + " of device " + major + ":" + minor + " is below 1");
      }
    }
  }
}
