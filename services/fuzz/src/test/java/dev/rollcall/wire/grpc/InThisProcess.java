package dev.rollcall.wire.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Services that are called on the caller's thread, by bytes still but without a connection: a
 * hundred times as often in a second. Whoever calls is the same peer each time.
 */
public record InThisProcess(Server server, ManagedChannel channel) implements AutoCloseable {
  private record Known(Peer peer, Executor loop) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return Contexts.interceptCall(
          Context.current()
              .withValues(
                  Peer.KEY, peer, CallContext.EXECUTOR, loop, CallContext.REQUEST_BYTES, _ -> {}),
          call,
          headers,
          next);
    }
  }

  /**
   * @param name of nobody else in this process
   * @param loop on which calls are made and served
   */
  public static InThisProcess serve(
      String name, List<ServerServiceDefinition> services, Peer peer, io.vertx.core.Context loop)
      throws IOException {
    Executor onLoop =
        task -> {
          if (loop.equals(Vertx.currentContext())) {
            task.run();
          } else {
            loop.runOnContext(_ -> task.run());
          }
        };
    var builder = InProcessServerBuilder.forName(name).directExecutor();
    for (ServerServiceDefinition service : services) {
      builder.addService(ServerInterceptors.intercept(service, new Known(peer, onLoop)));
    }
    return new InThisProcess(
        builder.build().start(), InProcessChannelBuilder.forName(name).directExecutor().build());
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }
}
