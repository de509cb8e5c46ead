package dev.rollcall.wire.grpc;

import io.vertx.core.http.HttpServerRequest;

/** Answers what comes to the port of services and is not gRPC. */
@FunctionalInterface
public interface OtherRequests {
  /** On the event loop of the request's connection: it must not block. */
  void handle(HttpServerRequest request, Peer peer);
}
