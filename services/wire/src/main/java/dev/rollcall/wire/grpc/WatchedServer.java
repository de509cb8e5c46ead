package dev.rollcall.wire.grpc;

import io.grpc.MethodDescriptor;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.Service;
import io.vertx.grpcio.server.GrpcIoServer;
import java.util.List;

/**
 * The library's server, with the handlers that its bridge binds wrapped: the only place where a
 * request can be watched from its first moment.
 */
final class WatchedServer implements GrpcIoServer {
  interface Watcher {
    /** Starts a call by the bridge's handler of it. */
    <Q, R> void start(GrpcServerRequest<Q, R> request, Handler<GrpcServerRequest<Q, R>> bridge);
  }

  private final GrpcIoServer server;
  private final Watcher watcher;

  WatchedServer(GrpcIoServer server, Watcher watcher) {
    this.server = server;
    this.watcher = watcher;
  }

  @Override
  public <Q, R> GrpcIoServer callHandler(
      MethodDescriptor<Q, R> method, Handler<GrpcServerRequest<Q, R>> handler) {
    server.callHandler(method, request -> watcher.start(request, handler));
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
