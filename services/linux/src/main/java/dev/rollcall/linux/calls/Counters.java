package dev.rollcall.linux.calls;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.BpfMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The array of counters, by place: {@link CallLayout#LOST} and those after it. */
record Counters(BpfMap map) {
  long get(int place) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_LONG);
      map.lookUp(arena.allocateFrom(JAVA_INT, place), value);
      return value.get(JAVA_LONG, 0);
    }
  }

  void put(int place, long value) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      map.put(arena.allocateFrom(JAVA_INT, place), arena.allocateFrom(JAVA_LONG, value));
    }
  }
}
