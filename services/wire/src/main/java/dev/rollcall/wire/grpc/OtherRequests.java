package dev.rollcall.wire.grpc;

import dev.rollcall.wire.memory.HeldMemory;
import io.vertx.core.http.HttpServerRequest;

/** Answers requests at the services' port that are not gRPC. */
@FunctionalInterface
public interface OtherRequests {
  /**
   * On the event loop of the request's connection: it must not block.
   *
   * @param memory of the request, which is released when its answer was sent
   */
  void handle(HttpServerRequest request, Peer peer, HeldMemory memory);
}
