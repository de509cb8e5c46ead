package dev.rollcall.linux.mount;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The kernel's numbers of mount namespaces, and which CPU gives the next. */
final class NamespaceNumber {
  private static final Path OWN = Path.of("/proc/thread-self/ns/mnt");

  /** NS_GET_MNTNS_ID of linux/nsfs.h, _IOR(0xb7, 5, __u64); Linux 6.11. */
  private static final long NS_GET_MNTNS_ID = 0x8008b705L;

  private static final Path POSSIBLE = Path.of("/sys/devices/system/cpu/possible");
  private static final long MOST_CPUS = 8_192;

  private NamespaceNumber() {}

  /** Of the calling thread's; empty where the kernel does not tell. */
  static OptionalLong own() throws IOException {
    try (Arena arena = Arena.ofConfined();
        Descriptor own = Descriptor.open(OWN)) {
      MemorySegment number = arena.allocate(JAVA_LONG);
      long result = Syscall.IOCTL.call(own.number(), NS_GET_MNTNS_ID, number.address());
      return result < 0 ? OptionalLong.empty() : OptionalLong.of(number.get(JAVA_LONG, 0));
    }
  }

  /** One more than the highest CPU's number: {@code 0-7} is 8. The JVM may be told of fewer. */
  static int cpus() throws IOException {
    String[] numbers = Files.readString(POSSIBLE).strip().split("[-,]", -1);
    return Integer.parseInt(numbers[numbers.length - 1]) + 1;
  }

  /** Keeps the calling thread on a CPU. One that it may not use is left out. */
  static void stayOn(int cpu) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MOST_CPUS / Byte.SIZE, Long.BYTES);
      mask.set(JAVA_LONG, (long) cpu / Long.SIZE * Long.BYTES, 1L << cpu);
      Syscall.SCHED_SETAFFINITY.call(0, mask.byteSize(), mask.address());
    }
  }
}
