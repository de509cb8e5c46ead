package dev.rollcall.wire.memory;

import io.netty.util.internal.PlatformDependent;

/** Reads how much of this process's memory is in use. */
interface MemoryReader {
  /** Returns the shares now; of the heap with garbage. Takes less than a microsecond. */
  MemoryShares now();

  /** Collects the garbage first, which stops the process for some 10 to 500 ms. */
  MemoryShares collected();

  /**
   * Reads the figures of this JVM, and Netty's count of direct memory, which is measured against
   * three quarters of its limit: answers to a client on the same machine fill a quarter of a
   * gateway's within a tenth of a second.
   */
  final class OfJvm implements MemoryReader {
    private static final double OF_LIMIT = 0.75;

    @Override
    public MemoryShares now() {
      Runtime jvm = Runtime.getRuntime();
      double used = jvm.totalMemory() - jvm.freeMemory();
      double direct = Math.max(0, PlatformDependent.usedDirectMemory());
      double limit = Math.max(1, OF_LIMIT * PlatformDependent.maxDirectMemory());
      return new MemoryShares(used / jvm.maxMemory(), direct / limit);
    }

    @Override
    public MemoryShares collected() {
      System.gc();
      return now();
    }
  }
}
