package dev.rollcall.linux.calls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.rollcall.linux.KernelTime;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Prefix;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.SeenCall;
import java.lang.foreign.MemorySegment;
import java.time.Instant;

/** Turns the kernel's bytes of a call into words and back. */
final class CallRecord {
  private static final long NANOS_PER_TICK = 10_000_000; // USER_HZ is 100

  private CallRecord() {}

  /** Fills a key; the segment is zero before. */
  static void putKey(MemorySegment key, long netns, Connection connection) {
    key.set(JAVA_LONG_UNALIGNED, CallLayout.NETNS, netns);
    putEndpoint(key, CallLayout.LOCAL_ADDRESS, CallLayout.LOCAL_PORT, connection.local());
    putEndpoint(key, CallLayout.REMOTE_ADDRESS, CallLayout.REMOTE_PORT, connection.remote());
  }

  private static void putEndpoint(MemorySegment key, int address, int port, Endpoint end) {
    MemorySegment.copy(Prefix.mapped(end.address()), 0, key, JAVA_BYTE, address, 16);
    key.set(JAVA_SHORT_UNALIGNED, port, (short) end.port());
  }

  static Connection connection(MemorySegment key) {
    return Connection.tcp(
        endpoint(key, CallLayout.LOCAL_ADDRESS, CallLayout.LOCAL_PORT),
        endpoint(key, CallLayout.REMOTE_ADDRESS, CallLayout.REMOTE_PORT));
  }

  private static Endpoint endpoint(MemorySegment key, int address, int port) {
    return Endpoint.of(
        key.asSlice(address, 16).toArray(JAVA_BYTE), key.get(JAVA_SHORT_UNALIGNED, port) & 0xffff);
  }

  static long socketCookie(MemorySegment value) {
    return value.get(JAVA_LONG_UNALIGNED, CallLayout.SOCKET_COOKIE);
  }

  static SeenCall seen(Connection connection, MemorySegment value) {
    long startedAt = value.get(JAVA_LONG_UNALIGNED, CallLayout.STARTED_AT);
    return new SeenCall(
        connection,
        new ProcessRef(
            value.get(JAVA_INT_UNALIGNED, CallLayout.TGID),
            Long.divideUnsigned(startedAt, NANOS_PER_TICK)),
        value.get(JAVA_INT_UNALIGNED, CallLayout.UID),
        new CgroupIds(
            value.get(JAVA_LONG_UNALIGNED, CallLayout.CGROUP_V2),
            value.get(JAVA_LONG_UNALIGNED, CallLayout.CGROUP_V1)),
        timeOfDay(value.get(JAVA_LONG_UNALIGNED, CallLayout.CALLED_AT)));
  }

  /** By what the kernel's monotonic clock, in ns, and the wall clock show now. */
  private static Instant timeOfDay(long monotonic) {
    return Instant.now().minusNanos(KernelTime.MONOTONIC.now() - monotonic);
  }
}
