package dev.rollcall.wire.grpc;

import dev.rollcall.wire.memory.MemoryUse;
import io.grpc.ServerMethodDefinition;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Stream;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.HashMap;
import java.util.Map;

/**
 * One connection of a client, the memory that it holds, and the calls that end with it. On the
 * event loop of the connection.
 */
final class Link extends Http2ConnectionAdapter {
  /** The objects of a connection: its pipeline, HTTP/2's tables and windows, pings. */
  private static final int CONNECTION_COST = 8 << 10;

  /** The objects of a call: its stream, contexts, the service's observers. */
  private static final int STREAM_COST = 4 << 10;

  /** A header is two texts and an entry of a table. */
  private static final int HEADER_COST = 128;

  private final Peer peer;
  private final PeerBounds bounds;
  private final HeldMemory memory;
  private final Map<Long, HeldMemory> streams = new HashMap<>();
  private final Map<Long, ServiceCall<?, ?>> calls = new HashMap<>();
  private Runnable stopPings = () -> {};

  Link(Peer peer, PeerBounds bounds) {
    this.peer = peer;
    this.bounds = bounds;
    memory = new HeldMemory(bounds.memory(), peer.account());
  }

  /** Whether the peer may have one more connection; without, this must be closed. */
  boolean opened() {
    return memory.take(MemoryUse.REQUEST, CONNECTION_COST);
  }

  void pinged(Runnable stop) {
    stopPings = stop;
  }

  /**
   * Whether the peer may have one more stream, until HTTP/2 says that it is closed. HTTP/1.1 has
   * none.
   */
  boolean admits(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      return true;
    }
    long cost = STREAM_COST;
    for (Map.Entry<String, String> header : request.headers()) {
      cost += HEADER_COST + header.getKey().length() + header.getValue().length();
    }
    var stream = new HeldMemory(bounds.memory(), peer.account());
    if (!stream.take(MemoryUse.REQUEST, cost)) {
      return false;
    }
    streams.put(request.streamId(), stream);
    return true;
  }

  /** Of HTTP/2: both sides of the stream have ended, or it was reset. */
  @Override
  public void onStreamClosed(Http2Stream stream) {
    HeldMemory held = streams.remove((long) stream.id());
    if (held != null) {
      held.close();
    }
    ServiceCall<?, ?> call = calls.remove((long) stream.id());
    if (call != null) {
      call.streamClosed();
    }
  }

  /** Starts the call of a request that is admitted. */
  <Q, R> void serve(HttpServerRequest request, ServerMethodDefinition<Q, R> method) {
    HeldMemory held = streams.get(request.streamId());
    if (held == null) {
      request.response().reset(); // its client reset it in the same moment
      return;
    }
    String name = method.getMethodDescriptor().getFullMethodName();
    var stream =
        new GrpcStream<>(request, method, peer, held, bounds.messages().applyAsInt(peer, name));
    calls.put(request.streamId(), stream.call());
    stream.start();
  }

  Peer peer() {
    return peer;
  }

  void closed() {
    stopPings.run();
    memory.close();
    streams.values().forEach(HeldMemory::close);
    streams.clear();
    calls.values().forEach(ServiceCall::streamClosed);
    calls.clear();
  }
}
