package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** Options at level SOL_SOCKET, socket(7). */
public enum SocketOption {
  PEERCRED(17),
  RCVTIMEO(20),
  SNDTIMEO(21),
  /** Linux 5.12: the cookie of the socket's network namespace. */
  NETNS_COOKIE(71),
  /** Linux 6.5: a pidfd of the process that connected. */
  PEERPIDFD(77);

  private static final int SOL_SOCKET = 1;

  private final int number;

  SocketOption(int number) {
    this.number = number;
  }

  /** Reads the option into the segment; the segment's size is the option's. */
  public void read(int socket, MemorySegment value) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length = arena.allocate(JAVA_INT);
      length.set(JAVA_INT, 0, (int) value.byteSize());
      long result =
          Syscall.GETSOCKOPT.call(
              socket, SOL_SOCKET, number, value.address(), length.address(), /* unused */ 0);
      Syscall.GETSOCKOPT.check("fd " + socket + ", SO_" + name(), result);
    }
  }

  /**
   * The process at the other end of a unix socket, as it was when it connected or began to listen.
   *
   * @param pid 0 if it is in a pid namespace that this process cannot see
   * @param uid effective
   */
  public record Peer(int pid, int uid) {}

  /** By struct ucred of unix(7). */
  public static Peer peer(int socket) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ucred = arena.allocate(JAVA_INT, 3);
      PEERCRED.read(socket, ucred);
      return new Peer(ucred.getAtIndex(JAVA_INT, 0), ucred.getAtIndex(JAVA_INT, 1));
    }
  }

  /** No later receive on the socket waits longer; it ends with EAGAIN. */
  public static void receiveTimeout(int socket, Duration timeout) throws ErrnoException {
    RCVTIMEO.write(socket, timeout);
  }

  /** No later call on the socket waits longer: connect, send or receive; it ends with EAGAIN. */
  public static void timeouts(int socket, Duration timeout) throws ErrnoException {
    RCVTIMEO.write(socket, timeout);
    SNDTIMEO.write(socket, timeout);
  }

  private void write(int socket, Duration timeout) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(JAVA_LONG, 2); // struct timeval: seconds, microseconds
      time.setAtIndex(JAVA_LONG, 0, timeout.toSeconds());
      time.setAtIndex(JAVA_LONG, 1, timeout.toNanosPart() / 1000);
      long result =
          Syscall.SETSOCKOPT.call(
              socket, SOL_SOCKET, number, time.address(), time.byteSize(), /* unused */ 0);
      Syscall.SETSOCKOPT.check("fd " + socket + ", SO_" + name(), result);
    }
  }
}
