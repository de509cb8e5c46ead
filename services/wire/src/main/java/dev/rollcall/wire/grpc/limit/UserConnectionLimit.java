package dev.rollcall.wire.grpc.limit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.PeerCredentials;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Bounds how many connections users have to the unix sockets of this process, at accept(2): each
 * costs memory and a descriptor before its first byte, and users may open more than a process
 * bears, each and together. Subordinate uids count for their owner ({@link UidOwners}). Root is not
 * bounded.
 */
@Sharable
final class UserConnectionLimit extends ChannelInboundHandlerAdapter {
  static final int MOST_OF_A_USER = 64;

  /** The most connections of all users. One uses up to 13 KB of heap before its first call. */
  static final int MOST_OF_ALL = 512;

  /** A user may have this many even when all users have the most, so that no user is locked out. */
  static final int ALWAYS_OF_A_USER = 4;

  /** The most connections of all users, with those that exceed the limit. */
  static final int MOST_EVER = 768;

  private static final System.Logger LOG = System.getLogger(UserConnectionLimit.class.getName());
  private static final long QUIET_NANOS = 60_000_000_000L;

  private final IntUnaryOperator owner;
  private final Map<String, IntPredicate> listed = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> open = new HashMap<>();
  private int ofAll;
  private long refused;
  private long saidNanos = System.nanoTime() - QUIET_NANOS;

  /**
   * @param owner from a uid to the user for whom it counts
   */
  UserConnectionLimit(IntUnaryOperator owner) {
    this.owner = owner;
  }

  /**
   * Closes the connections of other users to a socket; those of root stay.
   *
   * @param bound the path at which it is bound
   */
  void admitOnly(Path bound, IntPredicate users) {
    listed.put(bound.toString(), users);
  }

  /** In the pipeline of what listens: the message is the connection that was accepted. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    String socket = String.valueOf(context.channel().localAddress());
    if (!(accepted instanceof EpollDomainSocketChannel connection)
        || admitted(connection, listed.getOrDefault(socket, _ -> true))) {
      context.fireChannelRead(accepted);
    }
  }

  private boolean admitted(EpollDomainSocketChannel connection, IntPredicate users) {
    int uid;
    try {
      PeerCredentials peer = connection.peerCredentials();
      uid = peer.uid();
    } catch (IOException e) {
      close(connection);
      return false;
    }
    if (uid == 0) {
      return true;
    }
    int user = owner.applyAsInt(uid);
    if (!users.test(uid) || !enter(uid, user)) {
      close(connection);
      return false;
    }
    connection.closeFuture().addListener(_ -> leave(user));
    return true;
  }

  /** As it was never registered, nobody else closes it. */
  private static void close(Channel connection) {
    connection.unsafe().closeForcibly();
  }

  boolean enter(int uid) {
    return enter(uid, owner.applyAsInt(uid));
  }

  private synchronized boolean enter(int uid, int user) {
    int now = open.getOrDefault(user, 0);
    boolean room =
        ofAll < MOST_OF_ALL ? now < MOST_OF_A_USER : now < ALWAYS_OF_A_USER && ofAll < MOST_EVER;
    if (room) {
      open.put(user, now + 1);
      ofAll++;
      return true;
    }
    refused++;
    if (System.nanoTime() - saidNanos >= QUIET_NANOS) {
      saidNanos = System.nanoTime();
      LOG.log(
          Level.WARNING,
          "uid {0}, or its owner, has {1} connections to unix sockets here, and all users {2}: it"
              + " can open no more ({3} were refused since the start; logged at most once a"
              + " minute)",
          Integer.toUnsignedString(uid),
          Integer.toString(now),
          Integer.toString(ofAll),
          Long.toString(refused));
    }
    return false;
  }

  synchronized void leave(int user) {
    ofAll--;
    open.computeIfPresent(user, (_, now) -> now == 1 ? null : now - 1);
  }
}
