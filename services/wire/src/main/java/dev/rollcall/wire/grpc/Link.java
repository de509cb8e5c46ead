package dev.rollcall.wire.grpc;

import dev.rollcall.wire.memory.FirstLine;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryUse;
import dev.rollcall.wire.memory.PeerAccount;
import io.grpc.ServerMethodDefinition;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Stream;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One connection of a client, the memory that it holds, and the calls that end with it. On the
 * event loop of the connection.
 */
final class Link extends Http2ConnectionAdapter {
  /** The objects of a connection: its pipeline, HTTP/2's tables and windows, pings. */
  private static final int CONNECTION_COST = 8 << 10;

  /** The objects of a call: its stream, contexts, the service's observers, and an error. */
  private static final int STREAM_COST = 4 << 10;

  /** A header is two texts and an entry of a table. */
  private static final int HEADER_COST = 128;

  /** HTTP/1.1 has one request at a time. */
  private static final long ONLY = 0;

  private static final long LOOK_EVERY_MILLIS = 1_000;

  private final Vertx vertx;
  private final Peer peer;
  private final PeerBounds bounds;
  private final HeldMemory memory;
  private final Map<Long, LinkStream> streams = new HashMap<>();
  private PeerAccount account;
  private Runnable stopPings = () -> {};
  private long look = -1;

  Link(Vertx vertx, Peer peer, PeerBounds bounds) {
    this.vertx = vertx;
    this.peer = peer;
    this.bounds = bounds;
    account = bounds.accounts().apply(peer);
    memory = new HeldMemory(bounds.memory(), account);
  }

  /** Whether the peer may have one more connection; without, this must be closed. */
  boolean opened() {
    return memory.take(MemoryUse.REQUEST, CONNECTION_COST);
  }

  /** As whom the connection counts now: a call may prove another. */
  PeerAccount account() {
    return account;
  }

  /** Of the connection itself. */
  HeldMemory memory() {
    return memory;
  }

  /** An answer was not read in time. */
  void countUnread() {
    bounds.memory().countUnread();
  }

  void pinged(Runnable stop) {
    stopPings = stop;
  }

  /** Whether the peer may have one more request, until its stream is closed. */
  boolean admits(HttpServerRequest request) {
    var stream = new LinkStream(request, new HeldMemory(bounds.memory(), account));
    if (!stream.memory.take(MemoryUse.REQUEST, cost(request))) {
      return false;
    }
    answered();
    streams.put(key(request), stream);
    if (request.version() == HttpVersion.HTTP_2 && !FirstLine.isOff()) {
      request
          .response()
          .endHandler(_ -> {
            stream.answerEnded();
            look();
          });
    }
    return true;
  }

  private static long cost(HttpServerRequest request) {
    long cost = STREAM_COST;
    for (Map.Entry<String, String> header : request.headers()) {
      cost += HEADER_COST + header.getKey().length() + header.getValue().length();
    }
    return cost;
  }

  private static long key(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2 ? request.streamId() : ONLY;
  }

  /** Of HTTP/1.1: the answer was sent, and the next request may come. */
  void answered() {
    close(ONLY);
  }

  private void look() {
    if (look < 0) {
      look =
          vertx.setTimer(
              LOOK_EVERY_MILLIS,
              _ -> {
                look = -1;
                long now = System.nanoTime();
                for (LinkStream stream : List.copyOf(streams.values())) {
                  if (stream.endIfLate(now)) {
                    countUnread();
                  }
                }
                if (streams.values().stream().anyMatch(LinkStream::isAwaited)) {
                  look();
                }
              });
    }
  }

  /** Of HTTP/2: one side has ended. */
  @Override
  public void onStreamHalfClosed(Http2Stream stream) {
    LinkStream half = streams.get((long) stream.id());
    if (half != null && stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
      half.answerSent();
    } else if (half != null) {
      half.requestEnded();
    }
  }

  /** Of HTTP/2: both sides of the stream have ended, or it was reset. */
  @Override
  public void onStreamClosed(Http2Stream stream) {
    close(stream.id());
  }

  private void close(long key) {
    LinkStream stream = streams.remove(key);
    if (stream != null) {
      stream.close();
    }
  }

  /** Starts the call of a request that is admitted. */
  <Q, R> void serve(HttpServerRequest request, ServerMethodDefinition<Q, R> method) {
    LinkStream stream = streams.get(key(request));
    if (stream == null) {
      request.response().reset(); // its client reset it in the same moment
      return;
    }
    String name = method.getMethodDescriptor().getFullMethodName();
    int most = bounds.messages().applyAsInt(peer, name);
    var call = new GrpcStream<>(request, method, peer(stream.memory), stream.memory, most);
    stream.serves(call.call());
    if (stream.isAwaited() && !FirstLine.isOff()) {
      look();
    }
    call.start();
  }

  /** Passes on a request that is admitted, and is not gRPC. */
  void serve(HttpServerRequest request, OtherRequests by) {
    LinkStream stream = streams.get(key(request));
    if (stream == null) {
      request.response().reset();
    } else {
      by.handle(request, peer(stream.memory), stream.memory);
    }
  }

  /** The peer as one call has it: when it is identified, the call counts for who it is. */
  private Peer peer(HeldMemory call) {
    return peer instanceof Peer.Uncertified(var address, var binding, var stays)
        ? new Peer.Uncertified(
            address,
            binding,
            known -> call.moveTo(known) && memory.moveTo(known) && stays.test(known) && is(known))
        : peer;
  }

  private boolean is(PeerAccount known) {
    account = known;
    return true;
  }

  void closed() {
    stopPings.run();
    vertx.cancelTimer(look);
    memory.close();
    streams.values().forEach(LinkStream::close);
    streams.clear();
  }
}
