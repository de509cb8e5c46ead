package dev.rollcall.gateway.describe;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.InternalServer;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Serves gRPC reflection of the gateway's own services. The library asks the server that runs a
 * call which services there are; ours is Vert.x's, so this answers in its place.
 */
public final class Described implements ServerInterceptor {
  private final Server services;

  public Described(List<ServerServiceDefinition> services) {
    this.services = new NamesAlone(services);
  }

  /** What tools call. */
  public ServerServiceDefinition service() {
    return ServerInterceptors.intercept(ProtoReflectionServiceV1.newInstance(), this);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return Contexts.interceptCall(
        Context.current().withValue(InternalServer.SERVER_CONTEXT_KEY, services),
        call,
        headers,
        next);
  }

  /** A server that is asked for its services, and for nothing else. */
  private static final class NamesAlone extends Server {
    private final List<ServerServiceDefinition> services;

    NamesAlone(List<ServerServiceDefinition> services) {
      this.services = List.copyOf(services);
    }

    @Override
    public List<ServerServiceDefinition> getImmutableServices() {
      return services;
    }

    @Override
    public Server start() {
      return notRun();
    }

    @Override
    public Server shutdown() {
      return notRun();
    }

    @Override
    public Server shutdownNow() {
      return notRun();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      throw new UnsupportedOperationException("this server only describes services");
    }

    @Override
    public void awaitTermination() {
      notRun();
    }

    private static Server notRun() {
      throw new UnsupportedOperationException("this server only describes services");
    }
  }
}
