package dev.rollcall.wire.grpc;

import io.grpc.Status;
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

  void closed() {
    stopPings.run();
    calls.forEach(call -> call.cancel("the connection was lost"));
  }

  void start(GrpcServerRequest<?, ?> request, Runnable handler) {
    var call = new LiveCall(peer, calls::remove);
    calls.add(call);
    request.invalidMessageHandler(problem ->
        call.refuse(
            problem instanceof MessageSizeOverflowException large
                ? Status.RESOURCE_EXHAUSTED.withDescription(
                    "a message of "
                        + large.messageSize()
                        + " bytes is over the limit of "
                        + Limits.MESSAGE_BYTES)
                : Status.INVALID_ARGUMENT.withDescription("unreadable message: " + problem)));
    call.start(handler);
    // After the bridge, which would hear of one kind of reset only.
    request.errorHandler(error -> call.cancel("the stream was reset: " + error));
    request.exceptionHandler(problem -> call.cancel("the stream was lost: " + problem));
  }
}
