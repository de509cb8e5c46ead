package dev.rollcall.wire.grpc;

import io.grpc.Status;
import io.vertx.core.Handler;
import io.vertx.grpc.common.InvalidMessageException;
import io.vertx.grpc.common.MessageSizeOverflowException;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One connection of a client, and the calls that end with it. */
final class Link {
  private final Peer peer;
  private final Runnable stopPings;
  private final Set<LiveCall> calls = ConcurrentHashMap.newKeySet();

  Link(Peer peer, Runnable stopPings) {
    this.peer = peer;
    this.stopPings = stopPings;
  }

  Peer peer() {
    return peer;
  }

  void closed() {
    stopPings.run();
    calls.forEach(call -> call.cancel("the connection was lost"));
  }

  /** Starts a call by the bridge's handler of it. */
  <Q, R> void start(GrpcServerRequest<Q, R> request, Handler<GrpcServerRequest<Q, R>> bridge) {
    var call = new LiveCall(peer, calls::remove, request.response()::cancel);
    calls.add(call);
    request.invalidMessageHandler(problem -> call.refuse(unread(problem)));
    var guarded = new GuardedRequest<>(request, problem -> call.refuse(unread(problem)));
    call.start(() -> bridge.handle(guarded));
    // After the bridge, which would hear of one kind of reset only.
    request.errorHandler(error -> call.cancel("the stream was reset: " + error));
    request.exceptionHandler(problem -> call.cancel("the stream was lost: " + problem));
  }

  private static Status unread(InvalidMessageException problem) {
    return problem instanceof MessageSizeOverflowException large
        ? Status.RESOURCE_EXHAUSTED.withDescription(
            "a message of %d bytes is over the limit of %d"
                .formatted(large.messageSize(), Limits.MESSAGE_BYTES))
        : Status.INTERNAL.withDescription("a message could not be read: " + problem);
  }

  private static Status unread(RuntimeException problem) {
    return Status.INTERNAL.withDescription("a message could not be read: " + problem);
  }
}
