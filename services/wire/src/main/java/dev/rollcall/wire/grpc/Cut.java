package dev.rollcall.wire.grpc;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;

/** Ends requests whose client does not read, and discards the data that waits for it. */
public final class Cut {
  private Cut() {}

  /** Resets the stream of HTTP/2, or closes the connection of HTTP/1.1. */
  public static void request(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      var _ = request.response().reset();
    } else {
      // Vert.x's own close first sends what waits, and so waits for the client.
      var _ = ((HttpServerConnection) request.connection()).channelHandlerContext().close();
    }
  }
}
