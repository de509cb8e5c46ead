package dev.rollcall.linux.calls;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.BpfSet;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.port.CallSource.PortCalls;
import dev.rollcall.port.CallSource.WatchedCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Reads how often cgroups called watched ports. */
record WatchedMap(CallMaps maps) {
  WatchedCalls read() throws ErrnoException {
    List<PortCalls> all = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_LONG);
      MemorySegment key = arena.allocate(CallLayout.WATCHED_KEY_SIZE, 8);
      for (ByteBuffer each : new BpfSet(maps.watched()).keys()) {
        each.order(ByteOrder.nativeOrder());
        key.copyFrom(MemorySegment.ofBuffer(each));
        if (maps.watched().lookUp(key, count)) {
          var cgroups =
              new CgroupIds(
                  each.getLong(CallLayout.WATCHED_V2), each.getLong(CallLayout.WATCHED_V1));
          int port = (int) each.getLong(CallLayout.WATCHED_PORT);
          all.add(new PortCalls(cgroups, port, count.get(JAVA_LONG, 0)));
        }
      }
    }
    return new WatchedCalls(all, new Counters(maps.counters()).get(CallLayout.UNCOUNTED));
  }

  boolean remove(PortCalls calls) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocate(CallLayout.WATCHED_KEY_SIZE, 8);
      key.set(JAVA_LONG, CallLayout.WATCHED_V2, calls.cgroups().v2());
      key.set(JAVA_LONG, CallLayout.WATCHED_V1, calls.cgroups().v1());
      key.set(JAVA_LONG, CallLayout.WATCHED_PORT, calls.port());
      return maps.watched().remove(key);
    }
  }
}
