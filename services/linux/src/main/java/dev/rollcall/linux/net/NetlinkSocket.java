package dev.rollcall.linux.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.SocketOption;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;

/**
 * A netlink socket of one namespace. Not thread-safe: its owner holds a lock, since the buffers are
 * shared. A receive waits for at most a second; a reply of the kernel is there before the request's
 * send returns.
 */
final class NetlinkSocket implements AutoCloseable {
  static final int ROUTE = 0;
  static final int SOCK_DIAG = 4;

  /** RTMGRP_IPV4_IFADDR and RTMGRP_IPV6_IFADDR of rtnetlink(7). */
  static final int ADDRESSES = 0x10 | 0x100;

  private static final int AF_NETLINK = 16;
  private static final int SOCK_RAW = 3;
  private static final int MSG_TRUNC = 0x20;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int REQUEST_SIZE = 128;
  private static final int REPLY_SIZE = 1 << 16; // dumps come in parts of at most 32 KiB
  private static final int STALE_REPLIES = 1000;

  private final Descriptor socket;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment request = arena.allocate(REQUEST_SIZE, 8);
  private final MemorySegment reply = arena.allocate(REPLY_SIZE, 8);
  private int sequence;
  private boolean closed;

  private NetlinkSocket(Descriptor socket) {
    this.socket = socket;
  }

  static NetlinkSocket open(Netns netns, int protocol) throws IOException {
    Descriptor socket = netns.socket(AF_NETLINK, SOCK_RAW, protocol);
    try {
      SocketOption.receiveTimeout(socket.number(), Duration.ofSeconds(1));
    } catch (ErrnoException e) {
      socket.close();
      throw e;
    }
    return new NetlinkSocket(socket);
  }

  /**
   * Subscribes to multicast groups.
   *
   * @param groups the bits of RTMGRP_*, rtnetlink(7)
   */
  void subscribe(int groups) throws ErrnoException {
    MemorySegment address = request.fill((byte) 0); // struct sockaddr_nl, 12 bytes
    address.set(JAVA_SHORT, 0, (short) AF_NETLINK);
    address.set(JAVA_INT, 8, groups);
    long result = Syscall.BIND.call(socket.number(), address.address(), 12);
    Syscall.BIND.check("netlink groups " + groups, result);
  }

  /** From now on a receive has no bound. */
  void waitForEver() throws ErrnoException {
    SocketOption.receiveTimeout(socket.number(), Duration.ZERO);
  }

  /** Returns when something was received, or was missed. */
  void await() throws ErrnoException {
    long got = -Errno.EINTR.number();
    while (got == -Errno.EINTR.number()) {
      got = receive(0);
    }
    if (got != -Errno.ENOBUFS.number()) {
      Syscall.RECVFROM.check("netlink", got);
    }
  }

  /** Empties what was received without looking at it; true if there was anything or was missed. */
  boolean drain() throws ErrnoException {
    requireOpen();
    boolean something = false;
    while (true) {
      long got = receive(MSG_DONTWAIT);
      if (got == -Errno.EAGAIN.number()) {
        return something;
      }
      if (got != -Errno.ENOBUFS.number()) { // ENOBUFS: some were dropped, so there were some
        Syscall.RECVFROM.check("netlink", got);
      }
      something = true;
    }
  }

  /** The buffer of a new request, zeroed, in native order, with its header filled in. */
  ByteBuffer request(int type, int flags, int length) throws ErrnoException {
    requireOpen();
    request.fill((byte) 0);
    ByteBuffer buffer = request.asByteBuffer().order(ByteOrder.nativeOrder());
    buffer.putInt(0, length);
    buffer.putShort(4, (short) type);
    buffer.putShort(6, (short) flags);
    buffer.putInt(8, ++sequence);
    return buffer.limit(length);
  }

  /** Sends the request made last. */
  void send() throws ErrnoException {
    long length = request.get(JAVA_INT, 0);
    long sent = Syscall.SENDTO.call(socket.number(), request.address(), length, 0, 0, 0);
    Syscall.SENDTO.check("netlink", sent);
  }

  /**
   * The next datagram that answers the request made last. Replies to earlier ones, whose waiting
   * was given up, are dropped. Valid until the next receive.
   */
  List<NetlinkMessage> receive() throws IOException {
    for (int dropped = 0; dropped < STALE_REPLIES; dropped++) {
      long got = receive(0);
      if (got == -Errno.EINTR.number()) {
        continue;
      }
      Syscall.RECVFROM.check("netlink", got);
      if (got > REPLY_SIZE) {
        throw new MalformedReplyException("netlink datagram of " + got + " bytes is too long");
      }
      ByteBuffer datagram =
          reply.asSlice(0, got).asByteBuffer().order(ByteOrder.nativeOrder()).asReadOnlyBuffer();
      List<NetlinkMessage> messages = NetlinkMessage.parse(datagram.order(ByteOrder.nativeOrder()));
      if (!messages.isEmpty() && messages.getFirst().sequence() == sequence) {
        return messages;
      }
    }
    throw new MalformedReplyException("no reply to netlink request " + sequence);
  }

  private long receive(int flags) {
    return Syscall.RECVFROM.call(
        socket.number(), reply.address(), REPLY_SIZE, flags | MSG_TRUNC, 0, 0);
  }

  private void requireOpen() throws ErrnoException {
    if (closed) {
      throw new ErrnoException("netlink", socket.toString(), Errno.EBADF.number());
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    socket.close();
    arena.close();
  }
}
