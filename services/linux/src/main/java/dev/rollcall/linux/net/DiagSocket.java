package dev.rollcall.linux.net;

import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Protocol;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * A socket as sock_diag(7) describes it.
 *
 * @param state TCP's, include/net/tcp_states.h
 * @param remote port 0 for a socket that is not connected
 * @param uid the fsuid of whoever made it
 * @param inode 0 once no process holds it
 * @param cookie the number that no other socket has had or will have until boot
 * @param cgroup2 the id of the cgroup in which it was made; 0 if the kernel does not say (until
 *     5.8)
 */
public record DiagSocket(
    Protocol protocol,
    int state,
    Endpoint local,
    Endpoint remote,
    int uid,
    long inode,
    long cookie,
    long cgroup2) {
  public static final int LISTEN = 10;

  private static final int TIME_WAIT = 6;
  private static final int CLOSE = 7;
  private static final int NEW_SYN_RECV = 12;
  private static final int SYN_RECV = 3;

  private static final int AF_INET6 = 10;
  private static final int ATTRIBUTES = 72; // sizeof(struct inet_diag_msg)
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
        cgroup == null || cgroup.limit() < 8 ? 0 : cgroup.getLong(0));
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

  /** Whether datagrams between these ends may be this socket's although it is not connected. */
  boolean couldSend(Connection connection) {
    return inode != 0
        && protocol == Protocol.UDP
        && remote.port() == 0
        && local.port() == connection.local().port()
        && (local.address().isAnyLocalAddress()
            || local.address().equals(connection.local().address()));
  }
}
