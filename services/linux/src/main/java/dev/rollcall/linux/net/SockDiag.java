package dev.rollcall.linux.net;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Protocol;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Queries the sockets of one network namespace, sock_diag(7). An exact look-up takes some 3 us
 * whatever the number of sockets, since the kernel finds the socket by hashing as it would for a
 * packet. Thread-safe.
 */
public final class SockDiag implements AutoCloseable {
  public static final int AF_INET = 2;
  public static final int AF_INET6 = 10;

  private static final int SOCK_DIAG_BY_FAMILY = 20;
  private static final int NLM_F_REQUEST = 1;
  private static final int NLM_F_DUMP = 0x300;
  private static final int REQUEST_SIZE = 72;

  /**
   * The sockets that are read of one UDP port, with any address. Any user can bind a hundred
   * thousand to a port. The kernel walks their hash chain from its beginning for each part of a
   * dump, and a part has some hundred sockets.
   */
  public static final int MOST_ON_PORT = 100;

  private final Netns netns;
  private final NetlinkSocket netlink; // guarded by this
  private final Object dumps = new Object(); // its lock is taken before this one's
  private boolean closed; // guarded by dumps

  private SockDiag(Netns netns, NetlinkSocket netlink) {
    this.netns = netns;
    this.netlink = netlink;
  }

  /** The namespace is to stay open as long as this is. */
  public static SockDiag open(Netns netns) throws IOException {
    return new SockDiag(netns, NetlinkSocket.open(netns, NetlinkSocket.SOCK_DIAG));
  }

  /**
   * The socket at the local end of a TCP connection, if a process holds it.
   *
   * @param connection as the end asked about sees it
   */
  public synchronized Optional<DiagSocket> find(Connection connection) throws IOException {
    // A miss may come back as the listener of the local port.
    return lookUp(connection).filter(socket -> socket.carries(connection));
  }

  /**
   * Every UDP socket that can send from the local end of this connection, whatever it is connected
   * to; those that are connected to its remote end first, and then the older ones. Empty if more
   * than {@link #MOST_ON_PORT} sockets have its port. Waits for another such query, but no other
   * query waits for it.
   */
  public Optional<List<DiagSocket>> senders(Connection connection) throws IOException {
    synchronized (dumps) {
      return onPort(connection.local())
          .map(sockets ->
              sockets.stream()
                  .filter(socket -> socket.couldSendFrom(connection.local()))
                  .sorted(
                      Comparator.<DiagSocket>comparingInt(it -> it.carries(connection) ? 0 : 1)
                          .thenComparing(DiagSocket::cookie, Long::compareUnsigned))
                  .toList());
    }
  }

  /** By a netlink socket of its own: while a dump is not read to its end, a next one gets EBUSY. */
  private Optional<List<DiagSocket>> onPort(Endpoint local) throws IOException {
    if (closed) {
      throw new ErrnoException("netlink", netns.toString(), Errno.EBADF.number());
    }
    if (local.port() == 0) {
      return Optional.of(List.of()); // no socket has it: the kernel would take it as any port
    }
    List<DiagSocket> found = new ArrayList<>();
    try (NetlinkSocket dump = NetlinkSocket.open(netns, NetlinkSocket.SOCK_DIAG)) {
      boolean all =
          addTo(found, dump, AF_INET6, local.port())
              && (local.address() instanceof Inet6Address
                  || addTo(found, dump, AF_INET, local.port()));
      return all ? Optional.of(found) : Optional.empty();
    }
  }

  /** Whether a process listens for TCP connections at this end. */
  public synchronized boolean listening(Endpoint local) throws IOException {
    boolean v6 = local.address() instanceof Inet6Address;
    Endpoint nobody = Endpoint.of(new byte[v6 ? 16 : 4], 0);
    return lookUp(Connection.tcp(local, nobody))
        .filter(socket -> socket.state() == DiagSocket.LISTEN)
        .isPresent();
  }

  private Optional<DiagSocket> lookUp(Connection connection) throws IOException {
    int family = connection.local().address() instanceof Inet6Address ? AF_INET6 : AF_INET;
    ByteBuffer request = request(netlink, connection.protocol(), family, 0);
    putSource(request, connection.local());
    putDestination(request, connection.remote());
    netlink.send();
    NetlinkMessage answer = netlink.receive().getFirst();
    if (answer.type() != NetlinkMessage.ERROR) {
      return Optional.of(DiagSocket.decode(connection.protocol(), answer));
    }
    if (answer.errno() == Errno.ENOENT.number()) {
      return Optional.empty();
    }
    throw new ErrnoException("sock_diag", connection.toString(), answer.errno());
  }

  /**
   * Adds the UDP sockets of a family and port; AF_INET6 has dual-stack sockets, also those that
   * talk IPv4. False once there are more than {@link #MOST_ON_PORT}: the others are not read.
   */
  private static boolean addTo(List<DiagSocket> found, NetlinkSocket dump, int family, int port)
      throws IOException {
    putPort(request(dump, Protocol.UDP, family, NLM_F_DUMP), 24, port);
    dump.send();
    while (true) {
      for (NetlinkMessage message : dump.receive()) {
        if (message.type() == NetlinkMessage.DONE) {
          return true;
        }
        if (message.type() == NetlinkMessage.ERROR) {
          throw new ErrnoException("sock_diag", "dump of UDP port " + port, message.errno());
        }
        if (found.size() == MOST_ON_PORT) {
          return false;
        }
        found.add(DiagSocket.decode(Protocol.UDP, message));
      }
    }
  }

  /**
   * struct inet_diag_req_v2 after the header: 16 u8 family, 17 u8 protocol, 18 u8 extensions, 20
   * u32 states, 24 u16 source port, 26 u16 destination port, 28 and 44 addresses, 60 u32 interface,
   * 64 u64 cookie (all ones: any).
   */
  private static ByteBuffer request(NetlinkSocket netlink, Protocol protocol, int family, int flags)
      throws ErrnoException {
    ByteBuffer request = netlink.request(SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | flags, REQUEST_SIZE);
    request.put(16, (byte) family);
    request.put(17, (byte) protocol.number());
    request.putInt(20, -1);
    request.putLong(64, -1);
    return request;
  }

  private static void putSource(ByteBuffer request, Endpoint end) {
    putPort(request, 24, end.port());
    putAddress(request, 28, end.address());
  }

  private static void putDestination(ByteBuffer request, Endpoint end) {
    putPort(request, 26, end.port());
    putAddress(request, 44, end.address());
  }

  private static void putPort(ByteBuffer request, int at, int port) {
    request.order(ByteOrder.BIG_ENDIAN).putShort(at, (short) port).order(ByteOrder.nativeOrder());
  }

  private static void putAddress(ByteBuffer request, int at, InetAddress address) {
    request.put(at, address.getAddress());
  }

  @Override
  public void close() {
    synchronized (dumps) {
      synchronized (this) {
        closed = true;
        netlink.close();
      }
    }
  }
}
