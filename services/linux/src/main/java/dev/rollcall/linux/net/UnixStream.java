package dev.rollcall.linux.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.SocketOption;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A connection to a unix stream socket, unix(7), with one deadline for connecting and all reads and
 * writes together. For one thread.
 */
public final class UnixStream implements AutoCloseable {
  private static final int SOCK_STREAM = 1;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int SHUT_WR = 1;
  private static final int SOL_SOCKET = 1;
  private static final int SCM_RIGHTS = 1;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_CMSG_CLOEXEC = 0x40000000;

  // struct msghdr and struct cmsghdr of a 64-bit Linux.
  private static final int MSGHDR_SIZE = 56;
  private static final int IOVEC_SIZE = 16;
  private static final int CONTROL_SIZE = 64;
  private static final int CONTROL_DATA = 16;

  private static final long NANOS_PER_MICRO = 1_000;

  private final Descriptor socket;
  private final String peer;
  private final Duration within;
  private final long deadline;

  private UnixStream(Descriptor socket, Path peer, Duration within) {
    this.socket = socket;
    this.peer = peer.toString();
    this.within = within;
    this.deadline = System.nanoTime() + within.toNanos();
  }

  /**
   * What came in one piece.
   *
   * @param bytes empty at the end of the stream
   * @param descriptor that came with them, the receiver's to close
   */
  public record Received(ByteBuffer bytes, Optional<Descriptor> descriptor) {}

  /**
   * Connects.
   *
   * @param within for everything that is done with the connection
   * @throws ErrnoException ENOENT: there is no such file; ECONNREFUSED: nobody listens at it
   * @throws SocketTimeoutException the listener has too many waiting
   */
  public static UnixStream connect(Path path, Duration within) throws IOException {
    long fd = Syscall.SOCKET.call(UnixAddress.FAMILY, SOCK_STREAM | SOCK_CLOEXEC, 0);
    Descriptor socket = new Descriptor(Syscall.SOCKET.check("AF_UNIX", fd));
    UnixStream stream = new UnixStream(socket, path, within);
    try {
      stream.connect(path);
      return stream;
    } catch (IOException e) {
      stream.close();
      throw e;
    }
  }

  private void connect(Path path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = UnixAddress.of(path, arena);
      bound();
      long result = Syscall.CONNECT.call(socket.number(), address.address(), UnixAddress.SIZE);
      checked(Syscall.CONNECT, result);
    }
  }

  /** The process that listens at the other end. */
  public SocketOption.Peer listener() throws ErrnoException {
    return SocketOption.peer(socket.number());
  }

  /** Writes all of it. */
  public void write(byte[] bytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      long written = 0;
      while (written < bytes.length) {
        bound();
        long result =
            Syscall.SENDTO.call(
                socket.number(),
                data.address() + written,
                bytes.length - written,
                MSG_NOSIGNAL,
                0,
                0);
        written += checked(Syscall.SENDTO, result);
      }
    }
  }

  /** Tells the other end that no more is written; what it writes can still be read. */
  public void endOutput() throws IOException {
    checked(Syscall.SHUTDOWN, Syscall.SHUTDOWN.call(socket.number(), SHUT_WR, 0));
  }

  /**
   * Reads what is there, and waits if that is nothing.
   *
   * @param most bytes
   */
  public Received receive(int most) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(most);
      MemorySegment control = arena.allocate(CONTROL_SIZE, 8);
      MemorySegment iovec = arena.allocate(IOVEC_SIZE, 8);
      iovec.set(JAVA_LONG, 0, data.address());
      iovec.set(JAVA_LONG, 8, most);
      MemorySegment header = arena.allocate(MSGHDR_SIZE, 8);
      header.set(JAVA_LONG, 16, iovec.address());
      header.set(JAVA_LONG, 24, 1);
      header.set(JAVA_LONG, 32, control.address());
      header.set(JAVA_LONG, 40, CONTROL_SIZE);
      bound();
      long got = Syscall.RECVMSG.call(socket.number(), header.address(), MSG_CMSG_CLOEXEC);
      byte[] bytes = new byte[(int) checked(Syscall.RECVMSG, got)];
      MemorySegment.copy(data, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
      return new Received(ByteBuffer.wrap(bytes), descriptor(control, header.get(JAVA_LONG, 40)));
    }
  }

  /** The first descriptor; more are closed, for nobody asked for them. */
  private static Optional<Descriptor> descriptor(MemorySegment control, long length) {
    if (length < CONTROL_DATA + Integer.BYTES
        || control.get(JAVA_INT, 8) != SOL_SOCKET
        || control.get(JAVA_INT, 12) != SCM_RIGHTS) {
      return Optional.empty();
    }
    int end = (int) Math.min(control.get(JAVA_LONG, 0), length);
    for (int at = CONTROL_DATA + Integer.BYTES; at + Integer.BYTES <= end; at += Integer.BYTES) {
      new Descriptor(control.get(JAVA_INT, at)).close();
    }
    return Optional.of(new Descriptor(control.get(JAVA_INT, CONTROL_DATA)));
  }

  /** Lets the next call wait only for what is left of the time. */
  private void bound() throws IOException {
    long left = deadline - System.nanoTime();
    if (left < NANOS_PER_MICRO) {
      throw late();
    }
    SocketOption.timeouts(socket.number(), Duration.ofNanos(left));
  }

  private SocketTimeoutException late() {
    return new SocketTimeoutException(peer + " did not answer within " + within.toMillis() + " ms");
  }

  private long checked(Syscall call, long result) throws IOException {
    if (result == -Errno.EAGAIN.number()) {
      throw late();
    }
    return call.check(peer, result);
  }

  @Override
  public void close() {
    socket.close();
  }
}
