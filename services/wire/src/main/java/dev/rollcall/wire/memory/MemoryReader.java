package dev.rollcall.wire.memory;

import io.netty.util.internal.PlatformDependent;

/** Reads how much of this process's memory is in use. */
interface MemoryReader {
  /** Returns the shares now; of the heap with garbage. Takes less than a microsecond. */
  MemoryShares now();

  /** Collects the garbage first, which stops the process for some 10 to 500 ms. */
  MemoryShares collected();

  /** Reads the figures of this JVM, and Netty's count of direct memory. */
  final class OfJvm implements MemoryReader {
    @Override
    public MemoryShares now() {
      Runtime jvm = Runtime.getRuntime();
      double used = jvm.totalMemory() - jvm.freeMemory();
      double direct = Math.max(0, PlatformDependent.usedDirectMemory());
      return new MemoryShares(
          used / jvm.maxMemory(), direct / Math.max(1, PlatformDependent.maxDirectMemory()));
    }

    @Override
    public MemoryShares collected() {
      System.gc();
      return now();
    }
  }
}
