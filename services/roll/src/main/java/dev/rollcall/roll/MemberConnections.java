package dev.rollcall.roll;

import static java.util.Objects.requireNonNull;

import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.server.ServerConnection;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what others can cost by a member's port. A connection from an address that is not a
 * member's is closed before a byte of it is read. Of the others there are at most {@value #MOST},
 * and packets are bounded by whether the sender has joined.
 */
final class MemberConnections {
  /** Accepted and open at once. Each member needs one, and for a moment two. */
  static final int MOST = 64;

  /** In bytes, before the other end has joined: a handshake and what is said to join. */
  static final int MOST_OF_STRANGERS = 128 << 10;

  /** A member's packet may have this part of the heap, since a list of all jobs is one packet. */
  static final int PACKETS_IN_A_HEAP = 8;

  private static final int MOST_OF_MEMBERS =
      (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / PACKETS_IN_A_HEAP);

  private static final System.Logger LOG = System.getLogger(MemberConnections.class.getName());
  private static final long QUIET_NANOS = 60_000_000_000L;

  private final MemberAddresses addresses;
  private final boolean admitsEveryone;
  private final List<ServerConnection> accepted = new ArrayList<>();
  private long ended;
  private long loggedNanos = System.nanoTime() - QUIET_NANOS;

  MemberConnections(MemberAddresses addresses, boolean admitsEveryone) {
    this.addresses = addresses;
    this.admitsEveryone = admitsEveryone;
  }

  /** Takes the channel of a connection that was made, before anything of it is read. */
  synchronized void opened(Channel channel) {
    if (channel.isClientMode()) {
      return;
    }
    var connection =
        (ServerConnection) requireNonNull(channel.attributeMap().get(ServerConnection.class));
    @Nullable InetAddress from = channel.socket().getInetAddress();
    if (from == null || !(admitsEveryone || addresses.has(from))) {
      end(connection, "members does not name its address");
    } else {
      makeRoom();
      accepted.add(connection);
    }
  }

  /** In bytes, of the next packet of the connection. */
  int of(ServerConnection connection) {
    return addresses.isMember(connection) ? MOST_OF_MEMBERS : MOST_OF_STRANGERS;
  }

  void exceeded(ServerConnection connection, int length) {
    end(
        connection,
        "it sent a packet of "
            + Integer.toUnsignedString(length)
            + " bytes, where "
            + of(connection)
            + " are allowed");
  }

  /** The oldest goes that is no member's; without one, the oldest. */
  private void makeRoom() {
    accepted.removeIf(connection -> !connection.isAlive());
    if (accepted.size() >= MOST) {
      ServerConnection oldest =
          accepted.stream()
              .filter(connection -> !addresses.isMember(connection))
              .findFirst()
              .orElseGet(accepted::getFirst);
      accepted.remove(oldest);
      end(oldest, "there are more than " + MOST + " connections");
    }
  }

  private void end(ServerConnection connection, String reason) {
    InetSocketAddress peer = connection.getRemoteSocketAddress();
    connection.close(reason, null);
    log(peer, reason);
  }

  private synchronized void log(InetSocketAddress peer, String reason) {
    ended++;
    if (System.nanoTime() - loggedNanos >= QUIET_NANOS) {
      loggedNanos = System.nanoTime();
      LOG.log(
          Level.WARNING,
          "member port: connection from {0} ended: {1} ({2} ended since the start; logged at most"
              + " once a minute)",
          peer,
          reason,
          Long.toString(ended));
    }
  }
}
