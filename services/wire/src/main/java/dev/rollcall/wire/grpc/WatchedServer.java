package dev.rollcall.wire.grpc;

import io.grpc.MethodDescriptor;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.Service;
import io.vertx.grpcio.server.GrpcIoServer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The library's server, with the handlers that its bridge binds wrapped: the only place where a
 * request can be watched from its first moment.
 */
final class WatchedServer implements GrpcIoServer {
  private final GrpcIoServer server;
  private final Function<HttpConnection, @Nullable Link> links;

  /**
   * @param links from a connection to what starts its calls; none if it was refused, and ends
   */
  WatchedServer(GrpcIoServer server, Function<HttpConnection, @Nullable Link> links) {
    this.server = server;
    this.links = links;
  }

  @Override
  public <Q, R> GrpcIoServer callHandler(
      MethodDescriptor<Q, R> method, Handler<GrpcServerRequest<Q, R>> bridge) {
    server.callHandler(
        method,
        request -> {
          Link link = links.apply(request.connection());
          if (link == null) {
            request.response().cancel();
          } else {
            link.start(request, bridge);
          }
        });
    return this;
  }

  @Override
  public void handle(HttpServerRequest request) {
    server.handle(request);
  }

  @Override
  public GrpcIoServer callHandler(Handler<GrpcServerRequest<Buffer, Buffer>> handler) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <Q, R> GrpcServer callHandler(
      ServiceMethod<Q, R> method, Handler<GrpcServerRequest<Q, R>> handler) {
    throw new UnsupportedOperationException();
  }

  @Override
  public GrpcServer addService(Service service) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Service> services() {
    return server.services();
  }
}
