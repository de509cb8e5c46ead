package dev.rollcall.linux.calls;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.BpfSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells the program which namespaces are trusted and which ports are tracked. */
record Announced(CallMaps maps) {
  private static final byte YES = 1;

  void trust(Collection<Long> namespaces) throws ErrnoException {
    Map<ByteBuffer, Byte> keys = new HashMap<>();
    namespaces.forEach(id -> keys.put(key(8).putLong(0, id), YES));
    new BpfSet(maps.trusted()).become(keys);
  }

  /**
   * Writes the rates before the ports that use them.
   *
   * @param common the rate of ports without their own
   */
  void announce(List<TrackedPorts> ports, PushRate common) throws ErrnoException {
    Map<ByteBuffer, Byte> portKeys = new HashMap<>();
    putRate(CallLayout.COMMON_RATE, common);
    int last = CallLayout.COMMON_RATE;
    for (TrackedPorts entry : ports) {
      int rate = entry.perSecond().isPresent() ? ++last : CallLayout.COMMON_RATE;
      if (entry.perSecond().isPresent()) {
        putRate(rate, PushRate.perSecond(entry.perSecond().getAsInt()));
      }
      for (int port = entry.first(); port <= entry.last(); port++) {
        portKeys.put(key(4).putInt(0, port), (byte) rate);
      }
    }
    new BpfSet(maps.ports()).become(portKeys);
  }

  /** Whether callers of this port are told. */
  boolean tracks(int port) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      return maps.ports().lookUp(arena.allocateFrom(JAVA_INT, port), arena.allocate(1));
    }
  }

  private void putRate(int number, PushRate rate) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(CallLayout.RATE_SIZE, 8);
      value.set(JAVA_LONG, CallLayout.INTERVAL, rate.interval().toNanos());
      value.set(JAVA_LONG, CallLayout.SPAN, rate.spanNanos());
      maps.rates().put(arena.allocateFrom(JAVA_INT, number), value);
    }
  }

  private static ByteBuffer key(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
  }
}
