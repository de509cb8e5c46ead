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
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;

/**
 * Bounds TCP connections that have not shown who they are: how long they stay, how many of them
 * come from one address, and how many from all. Half of an address's places are for connections
 * whose first message has come ({@link FirstMessage}), so those that send nothing cannot close one
 * whose handshake is under way. Of too many in a half its oldest is closed, of too many from all
 * the oldest of the network with the most. A client that shows a certificate, or speaks HTTP/2
 * where there is no TLS, is counted no more; one of the metrics is counted to its end.
 */
@Sharable
public final class UnauthenticatedConnectionLimit extends ChannelInboundHandlerAdapter {
  public static final int MOST_OF_AN_ADDRESS = 256;

  static final int HALF = MOST_OF_AN_ADDRESS / 2;

  /** A sixteenth of LimitNOFILE of the units. */
  static final int MOST = 4_096;

  private static final int IPV6_BYTES = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final AttributeKey<UnauthenticatedConnectionLimit> KEY =
      AttributeKey.valueOf("rollcall-strangers");

  /** Connections before and after their first message, each in the order in which they came. */
  private static final class Crowd {
    private final SequencedSet<SocketChannel> silent = new LinkedHashSet<>();
    private final SequencedSet<SocketChannel> begun = new LinkedHashSet<>();

    int size() {
      return silent.size() + begun.size();
    }

    SocketChannel oldest() {
      return (silent.isEmpty() ? begun : silent).getFirst();
    }

    boolean begin(SocketChannel connection) {
      return silent.remove(connection) && begun.add(connection);
    }

    boolean remove(SocketChannel connection) {
      return silent.remove(connection) || begun.remove(connection);
    }
  }

  private final Map<InetAddress, Crowd> crowds = new HashMap<>();

  /** The same of each /64 of IPv6, whose addresses may all be of one host, and of each of IPv4. */
  private final Map<InetAddress, Crowd> networks = new LinkedHashMap<>();

  private int all;

  /** In the pipeline of what listens: the message is the connection that was accepted. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    if (accepted instanceof SocketChannel connection && connection.remoteAddress() != null) {
      InetAddress address = connection.remoteAddress().getAddress();
      connection.attr(KEY).set(this);
      enter(address, connection);
      connection.pipeline().addFirst(new FirstMessage(() -> begun(address, connection)));
      var patience =
          context
              .executor()
              .schedule(() -> dismiss(connection), PATIENCE.toSeconds(), TimeUnit.SECONDS);
      connection
          .closeFuture()
          .addListener(_ -> {
            var _ = patience.cancel(false);
            leave(address, connection);
          });
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
    Optional<SocketChannel> tooMuch = Optional.empty();
    synchronized (this) {
      Crowd crowd = crowds.computeIfAbsent(key(address), _ -> new Crowd());
      crowd.silent.add(connection);
      networks.computeIfAbsent(network(address), _ -> new Crowd()).silent.add(connection);
      all++;
      if (crowd.silent.size() > HALF) {
        tooMuch = Optional.of(crowd.silent.getFirst());
      } else if (all > MOST) {
        tooMuch = Optional.of(largestNetwork().oldest());
      }
      tooMuch.ifPresent(this::leave);
    }
    tooMuch.ifPresent(UnauthenticatedConnectionLimit::close);
  }

  private static void close(Channel connection) {
    var _ = connection.close();
  }

  /** Its first message has come. */
  private void begun(InetAddress address, SocketChannel connection) {
    Optional<SocketChannel> tooMuch = Optional.empty();
    synchronized (this) {
      Crowd crowd = crowds.get(key(address));
      Crowd network = networks.get(network(address));
      if (crowd != null && network != null && crowd.begin(connection)) {
        network.begin(connection);
        if (crowd.begun.size() > HALF) {
          tooMuch = Optional.of(crowd.begun.getFirst());
        }
      }
      tooMuch.ifPresent(this::leave);
    }
    tooMuch.ifPresent(UnauthenticatedConnectionLimit::close);
  }

  private void leave(SocketChannel connection) {
    leave(connection.remoteAddress().getAddress(), connection);
  }

  private synchronized void leave(InetAddress address, SocketChannel connection) {
    if (remove(crowds, key(address), connection)) {
      var _ = remove(networks, network(address), connection);
      all--;
    }
  }

  private Crowd largestNetwork() {
    return Collections.max(networks.values(), Comparator.comparingInt(Crowd::size));
  }

  private static boolean remove(
      Map<InetAddress, Crowd> from, InetAddress key, SocketChannel connection) {
    Crowd crowd = from.get(key);
    if (crowd == null || !crowd.remove(connection)) {
      return false;
    }
    if (crowd.size() == 0) {
      from.remove(key);
    }
    return true;
  }

  /** The address itself, or the /64 of IPv6 that it is in. */
  public static InetAddress network(InetAddress address) {
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
