package dev.rollcall.wire.grpc.limit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Bounds TCP connections that have not shown who they are: how long they stay, how many of them
 * come from one address, and how many from all. Of too many from an address its oldest goes, of too
 * many from all the oldest of the network with the most. A client that shows a certificate, or
 * speaks HTTP/2 where there is no TLS, is a stranger no more; one of the metrics stays one.
 */
@Sharable
public final class UnauthenticatedConnectionLimit extends ChannelInboundHandlerAdapter {
  public static final int MOST_OF_AN_ADDRESS = 256;

  /** A sixteenth of LimitNOFILE of the units. */
  static final int MOST = 4_096;

  private static final int IPV6_BYTES = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final AttributeKey<UnauthenticatedConnectionLimit> KEY =
      AttributeKey.valueOf("rollcall-strangers");

  /** In the order in which they came. */
  private final Map<InetAddress, SequencedSet<SocketChannel>> crowds = new HashMap<>();

  /** The same of each /64 of IPv6, whose addresses may all be of one host, and of each of IPv4. */
  private final Map<InetAddress, SequencedSet<SocketChannel>> networks = new LinkedHashMap<>();

  private int all;

  /** In the pipeline of what listens: the message is the connection that was accepted. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (accepted instanceof SocketChannel connection && connection.remoteAddress() != null) {
      InetAddress address = connection.remoteAddress().getAddress();
      connection.attr(KEY).set(this);
      enter(address, connection);
      connection.closeFuture().addListener(_ -> leave(address, connection));
      var _ =
          context
              .executor()
              .schedule(() -> dismiss(connection), PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    context.fireChannelRead(accepted);
  }

  /** The peer of this connection is known. */
  public static void admit(Channel connection) {
    UnauthenticatedConnectionLimit among = connection.attr(KEY).getAndSet(null);
    if (among != null && connection instanceof SocketChannel known) {
      among.leave(known.remoteAddress().getAddress(), known);
    }
  }

  private static void dismiss(Channel connection) {
    if (connection.attr(KEY).get() != null) {
      var _ = connection.close();
    }
  }

  private void enter(InetAddress address, SocketChannel connection) {
    SocketChannel tooMuch = null;
    synchronized (this) {
      SequencedSet<SocketChannel> crowd = add(crowds, key(address), connection);
      var _ = add(networks, network(address), connection);
      all++;
      if (crowd.size() > MOST_OF_AN_ADDRESS) {
        tooMuch = crowd.getFirst();
      } else if (all > MOST) {
        tooMuch = largestNetwork().getFirst();
      }
      if (tooMuch != null) {
        leave(tooMuch.remoteAddress().getAddress(), tooMuch);
      }
    }
    if (tooMuch != null) {
      var _ = tooMuch.close();
    }
  }

  private synchronized void leave(InetAddress address, SocketChannel connection) {
    if (remove(crowds, key(address), connection)) {
      var _ = remove(networks, network(address), connection);
      all--;
    }
  }

  private SequencedSet<SocketChannel> largestNetwork() {
    return Collections.max(networks.values(), Comparator.comparingInt(Set::size));
  }

  private static SequencedSet<SocketChannel> add(
      Map<InetAddress, SequencedSet<SocketChannel>> to, InetAddress key, SocketChannel connection) {
    SequencedSet<SocketChannel> crowd = to.computeIfAbsent(key, _ -> new LinkedHashSet<>());
    crowd.add(connection);
    return crowd;
  }

  private static boolean remove(
      Map<InetAddress, SequencedSet<SocketChannel>> from,
      InetAddress key,
      SocketChannel connection) {
    SequencedSet<SocketChannel> crowd = from.get(key);
    if (crowd == null || !crowd.remove(connection)) {
      return false;
    }
    if (crowd.isEmpty()) {
      from.remove(key);
    }
    return true;
  }

  private static InetAddress network(InetAddress address) {
    byte[] bytes = key(address).getAddress();
    if (bytes.length == IPV6_BYTES) {
      Arrays.fill(bytes, IPV6_BYTES / 2, IPV6_BYTES, (byte) 0);
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // only for another number of bytes
    }
  }

  /** Anybody may call from any address of 127.0.0.0/8. */
  private static InetAddress key(InetAddress address) {
    return address.isLoopbackAddress() ? InetAddress.getLoopbackAddress() : address;
  }
}
