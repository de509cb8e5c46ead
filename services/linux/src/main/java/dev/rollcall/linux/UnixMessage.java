package dev.rollcall.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Sends and receives messages on a unix socket without waiting: one sendmsg(2), with descriptors,
 * or one recvfrom(2), which drops descriptors.
 */
public final class UnixMessage {
  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int SOL_SOCKET = 1;
  private static final int SCM_RIGHTS = 1;
  private static final int MSGHDR_BYTES = 56;
  private static final int CMSGHDR_BYTES = 16;

  private static final int LONGEST_RECEIVED = 4_096;

  /** One for each thread. */
  private static final ThreadLocal<MemorySegment> RECEIVED =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(LONGEST_RECEIVED));

  /** What recvfrom(2) gave. */
  public sealed interface Received {
    /**
     * @param bytes at least one, and at most 4096
     */
    record Bytes(ByteBuffer bytes) implements Received {}

    /** Nothing has come that was not read. */
    record NothingYet() implements Received {}

    /** The peer sends no more: it shut down its side, or is gone. */
    record End() implements Received {}
  }

  private UnixMessage() {}

  /**
   * Takes what has come, up to 4096 bytes.
   *
   * @throws ErrnoException ECONNRESET and others: the connection is of no use any more
   */
  public static Received receive(int socket) throws ErrnoException {
    MemorySegment buffer = RECEIVED.get();
    long length;
    do {
      length =
          Syscall.RECVFROM.call(
              socket, buffer.address(), LONGEST_RECEIVED, MSG_DONTWAIT, /* no address */ 0, 0);
    } while (length == -Errno.EINTR.number());
    if (length == -Errno.EAGAIN.number()) {
      return new Received.NothingYet();
    }
    if (Syscall.RECVFROM.check("fd " + socket, length) == 0) {
      return new Received.End();
    }
    byte[] bytes = new byte[(int) length];
    MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, 0, bytes.length);
    return new Received.Bytes(ByteBuffer.wrap(bytes));
  }

  /**
   * Sends all bytes, without waiting.
   *
   * @param descriptors none, or as many as unix(7) lets pass: 253
   * @throws ErrnoException EAGAIN when the socket's buffer has no room, EPIPE when nobody reads;
   *     EMSGSIZE also when only a part was taken, after which the socket is of no use
   */
  public static void send(int socket, byte[] bytes, List<Integer> descriptors)
      throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(JAVA_BYTE, bytes);
      MemorySegment iovec = arena.allocate(16, 8);
      iovec.set(JAVA_LONG, 0, text.address());
      iovec.set(JAVA_LONG, 8, bytes.length);
      MemorySegment message = arena.allocate(MSGHDR_BYTES, 8);
      message.set(JAVA_LONG, 16, iovec.address());
      message.set(JAVA_LONG, 24, 1);
      if (!descriptors.isEmpty()) {
        MemorySegment control = rights(arena, descriptors);
        message.set(JAVA_LONG, 32, control.address());
        message.set(JAVA_LONG, 40, control.byteSize());
      }
      String subject = "fd " + socket;
      long sent = Syscall.SENDMSG.call(socket, message.address(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (Syscall.SENDMSG.check(subject, sent) < bytes.length) {
        throw new ErrnoException("sendmsg", subject, Errno.EMSGSIZE.number());
      }
    }
  }

  /** struct cmsghdr and its descriptors, filled up to the next 8 bytes (cmsg(3)). */
  private static MemorySegment rights(Arena arena, List<Integer> descriptors) {
    int length = CMSGHDR_BYTES + 4 * descriptors.size();
    MemorySegment control = arena.allocate((length + 7L) & ~7L, 8);
    control.set(JAVA_LONG, 0, length);
    control.set(JAVA_INT, 8, SOL_SOCKET);
    control.set(JAVA_INT, 12, SCM_RIGHTS);
    for (int each = 0; each < descriptors.size(); each++) {
      control.set(JAVA_INT, CMSGHDR_BYTES + 4L * each, descriptors.get(each));
    }
    return control;
  }
}
