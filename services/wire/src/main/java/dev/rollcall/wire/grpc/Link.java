package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import dev.rollcall.wire.memory.MemoryUse;
import io.grpc.Context;
import io.grpc.Status;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Stream;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.ContextInternal;
import io.vertx.grpc.common.InvalidMessageException;
import io.vertx.grpc.common.MessageSizeOverflowException;
import io.vertx.grpc.common.impl.GrpcReadStreamBase;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

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

  private static final Status LATE =
      Status.DEADLINE_EXCEEDED.withDescription("the deadline has passed");

  private final Peer peer;
  private final PeerBounds bounds;
  private final HeldMemory memory;
  private final Map<Long, HeldMemory> streams = new HashMap<>();
  private final Map<Long, LiveCall> started = new HashMap<>();
  private final Set<LiveCall> calls = ConcurrentHashMap.newKeySet();
  private Runnable stopPings = () -> {};
  private @Nullable HttpServerRequest starting;

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
    LiveCall call = started.remove((long) stream.id());
    if (call != null) {
      call.streamClosed();
    }
  }

  /** Has the library serve a request, which comes back to {@link #start}. */
  void serve(HttpServerRequest request, Handler<HttpServerRequest> library) {
    starting = request;
    library.handle(request);
    starting = null;
  }

  Peer peer() {
    return peer;
  }

  void closed() {
    stopPings.run();
    memory.close();
    streams.values().forEach(HeldMemory::close);
    streams.clear();
    started.values().forEach(LiveCall::streamClosed);
    started.clear();
    calls.forEach(call -> call.cancel("the connection was lost"));
  }

  /** Starts a call by the bridge's handler of it. */
  <Q, R> void start(GrpcServerRequest<Q, R> request, Handler<GrpcServerRequest<Q, R>> bridge) {
    HttpServerRequest http = requireNonNull(starting);
    HeldMemory held = streams.get(http.streamId());
    if (held == null) {
      request.response().cancel(); // it was reset in the same moment
      return;
    }
    var call = new LiveCall(peer, calls::remove, request.response()::cancel, Optional.of(held));
    calls.add(call);
    started.put(http.streamId(), call);
    request.invalidMessageHandler(problem -> call.refuse(unread(problem)));
    var arriving =
        new AcceptedConnection(
            (GrpcReadStreamBase<?, ?>) request,
            held,
            bounds.messages().bytes(peer, request.fullMethodName()),
            call::refuse);
    http.handler(arriving);
    var guarded =
        new GuardedRequest<>(request, arriving::delivered, problem -> call.refuse(unread(problem)));
    call.start(() -> within(request.timeout(), call).run(() -> bridge.handle(guarded)));
    // After the bridge, which would hear of one kind of reset only.
    request.errorHandler(error -> call.cancel("the stream was reset: " + error));
    request.exceptionHandler(problem -> call.cancel("the stream was lost: " + problem));
  }

  /**
   * The context of a call, which ends at its deadline. The bridge's own deadline would reset the
   * stream at the end of each call whose request has not ended (Vert.x 5.0).
   */
  private static Context within(long millis, LiveCall call) {
    if (millis <= 0) {
      return Context.current();
    }
    var context =
        Context.current()
            .withDeadlineAfter(
                millis,
                TimeUnit.MILLISECONDS,
                ((ContextInternal) Vertx.currentContext()).nettyEventLoop());
    context.addListener(
        ended -> {
          if (ended.cancellationCause() instanceof TimeoutException) {
            call.execute(() -> call.refuse(LATE));
          }
        },
        Runnable::run);
    return context;
  }

  private static Status unread(InvalidMessageException problem) {
    return problem instanceof MessageSizeOverflowException large
        ? Status.RESOURCE_EXHAUSTED.withDescription(
            "a message of %d bytes is over the limit of %d"
                .formatted(large.messageSize(), MessageLimits.MESSAGE_BYTES))
        : Status.INTERNAL.withDescription("a message could not be read: " + problem);
  }

  private static Status unread(RuntimeException problem) {
    return Status.INTERNAL.withDescription("a message could not be read: " + problem);
  }
}
