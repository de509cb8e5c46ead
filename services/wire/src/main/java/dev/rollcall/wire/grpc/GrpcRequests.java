package dev.rollcall.wire.grpc;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hands gRPC requests to the library's server, except those that it must not see: a message that is
 * compressed (it decompresses without a bound), gRPC-Web, and JSON.
 */
final class GrpcRequests {
  private static final String GRPC = "application/grpc";
  private static final Set<String> TYPES = Set.of(GRPC, GRPC + "+proto");
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  /** Status codes of gRPC, doc/statuscodes.md. */
  private static final String UNIMPLEMENTED = "12";

  private final Handler<HttpServerRequest> server;

  GrpcRequests(Handler<HttpServerRequest> server) {
    this.server = server;
  }

  /** Whether a request says that it is gRPC, of any kind. */
  static boolean isGrpc(HttpServerRequest request) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    return type != null && type.startsWith(GRPC);
  }

  void handle(HttpServerRequest request, Link link) {
    if (request.version() != HttpVersion.HTTP_2
        || !TYPES.contains(String.valueOf(request.getHeader(HttpHeaders.CONTENT_TYPE)))) {
      request.response().setStatusCode(UNSUPPORTED_MEDIA_TYPE).end();
      return;
    }
    String encoding = request.getHeader("grpc-encoding");
    if (isCompressed(encoding)) {
      end(request.response(), UNIMPLEMENTED, "grpc-encoding must be identity");
      return;
    }
    // The library offers gzip in each answer.
    HttpServerResponse response = request.response();
    response.headersEndHandler(_ -> response.headers().remove("grpc-accept-encoding"));
    link.serve(request, server);
  }

  private static boolean isCompressed(@Nullable String encoding) {
    return encoding != null && !encoding.equals("identity");
  }

  /** Without a message, gRPC over HTTP/2 "Trailers-Only". What comes yet is dropped as it comes. */
  private static void end(HttpServerResponse response, String status, String message) {
    var _ =
        response
            .putHeader(HttpHeaders.CONTENT_TYPE, GRPC)
            .putHeader("grpc-status", status)
            .putHeader("grpc-message", message)
            .end();
  }
}
