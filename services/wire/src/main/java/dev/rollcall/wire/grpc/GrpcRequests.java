package dev.rollcall.wire.grpc;

import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the methods of gRPC requests. Compressed messages, gRPC-Web and JSON are refused: the size
 * of a compressed message is known only when it is in memory.
 */
final class GrpcRequests {
  static final String GRPC = "application/grpc";

  private static final Set<String> TYPES = Set.of(GRPC, GRPC + "+proto");
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  private final Map<String, ServerMethodDefinition<?, ?>> methods = new HashMap<>();

  GrpcRequests(List<ServerServiceDefinition> services) {
    services.stream()
        .flatMap(service -> service.getMethods().stream())
        .forEach(
            method -> methods.put("/" + method.getMethodDescriptor().getFullMethodName(), method));
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
    ServerMethodDefinition<?, ?> method = methods.get(String.valueOf(request.path()));
    if (encoding != null && !encoding.equals("identity")) {
      refuse(request, "grpc-encoding must be identity");
    } else if (method == null) {
      refuse(request, "Method not found: " + request.path());
    } else {
      link.serve(request, method);
    }
  }

  /** What comes yet is dropped as it comes. */
  private static void refuse(HttpServerRequest request, String why) {
    GrpcStream.refuse(request.response(), Status.UNIMPLEMENTED.withDescription(why));
  }
}
