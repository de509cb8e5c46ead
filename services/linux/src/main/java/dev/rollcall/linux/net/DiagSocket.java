package dev.rollcall.linux.net;

import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Protocol;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A socket as sock_diag(7) describes it.
 *
 * @param state TCP's, include/net/tcp_states.h
 * @param remote port 0 for a socket that is not connected
 * @param uid the fsuid of the process that made it
 * @param inode 0 once no process holds it
 * @param cookie the number that no other socket has had or will have until boot
 * @param cgroup2 the id of the cgroup in which it was made; 0 if the kernel does not say (until
 *     5.8)
 * @param families by which it can send
 */
public record DiagSocket(
    Protocol protocol,
    int state,
    Endpoint local,
    Endpoint remote,
    int uid,
    long inode,
    long cookie,
    long cgroup2,
    Families families) {
  /** Which addresses a socket can send from. */
  public enum Families {
    IPV4,
    IPV6,
    BOTH;

    boolean have(InetAddress address) {
      return this == BOTH || (this == IPV6) == (address instanceof Inet6Address);
    }
  }

  public static final int LISTEN = 10;

  private static final int TIME_WAIT = 6;
  private static final int CLOSE = 7;
  private static final int NEW_SYN_RECV = 12;
  private static final int SYN_RECV = 3;

  private static final int AF_INET6 = 10;
  private static final int ATTRIBUTES = 72; // sizeof(struct inet_diag_msg)
  private static final int INET_DIAG_SKV6ONLY = 11;
  private static final int INET_DIAG_CGROUP_ID = 21;

  /**
   * Decodes struct inet_diag_msg: u8 family, state, timer, retransmissions; inet_diag_sockid (u16
   * ports in network order, addresses of 16 bytes, u32 interface, u64 cookie); u32 expiry and
   * queues, uid, inode; attributes.
   */
  static DiagSocket decode(Protocol protocol, NetlinkMessage message)
      throws MalformedReplyException {
    ByteBuffer from = message.payload();
    if (from.limit() < ATTRIBUTES) {
      throw new MalformedReplyException("inet_diag_msg of " + from.limit() + " bytes");
    }
    int size = from.get(0) == AF_INET6 ? 16 : 4;
    Map<Integer, ByteBuffer> attributes = message.attributes(ATTRIBUTES);
    ByteBuffer cgroup = attributes.get(INET_DIAG_CGROUP_ID);
    return new DiagSocket(
        protocol,
        from.get(1),
        Endpoint.of(NetlinkMessage.bytes(from, 8, size), port(from, 4)),
        Endpoint.of(NetlinkMessage.bytes(from, 24, size), port(from, 6)),
        from.getInt(64),
        Integer.toUnsignedLong(from.getInt(68)),
        from.getLong(44),
        cgroup == null || cgroup.limit() < 8 ? 0 : cgroup.getLong(0),
        families(from.get(0), attributes.get(INET_DIAG_SKV6ONLY)));
  }

  /**
   * The kernel tells IPV6_V6ONLY of sockets that listen or are not connected
   * (inet_diag_msg_attrs_fill); any other of AF_INET6 may send IPv4 as well.
   */
  private static Families families(byte family, @Nullable ByteBuffer v6only) {
    if (family != AF_INET6) {
      return Families.IPV4;
    }
    return v6only != null && v6only.limit() > 0 && v6only.get(0) != 0
        ? Families.IPV6
        : Families.BOTH;
  }

  private static int port(ByteBuffer from, int at) {
    short native16 = from.getShort(at);
    boolean little = from.order() == ByteOrder.LITTLE_ENDIAN;
    return (little ? Short.reverseBytes(native16) : native16) & 0xffff;
  }

  /** Whether a process holds this socket and its two ends are these. */
  boolean carries(Connection connection) {
    return inode != 0
        && state != LISTEN
        && state != NEW_SYN_RECV
        && state != SYN_RECV
        && state != TIME_WAIT
        && (state != CLOSE || protocol == Protocol.UDP)
        && local.equals(connection.local())
        && remote.equals(connection.remote());
  }

  /**
   * Whether this socket can send a datagram from this end, to anywhere: sendto(2) takes another
   * address than that of connect(2), and IP_PKTINFO any local address as the source (ip(7)). So
   * neither the remote end nor the local address of a socket leaves it out.
   */
  boolean couldSendFrom(Endpoint end) {
    return inode != 0
        && protocol == Protocol.UDP
        && local.port() == end.port()
        && families.have(end.address());
  }
}
