package dev.rollcall.wire.grpc;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server and a client of one transport, each with a Vert.x of its own. */
public final class Rig implements AutoCloseable {
  private final Vertx serverVertx = VertxSettings.start(VertxSettings.quiet());
  private final Vertx clientVertx = VertxSettings.start(VertxSettings.quiet());
  private final List<GrpcChannel> channels = new ArrayList<>();
  final Transport transport;
  final Path directory;
  final int port;

  public Rig(Transport transport, Path directory, KeepAlive keepAlive, BindableService service)
      throws Exception {
    this.transport = transport;
    this.directory = directory;
    if (transport == Transport.TLS) {
      var pki = new TestPki(directory);
      pki.issue("server", "IP:127.0.0.1");
      pki.issue("client", "IP:10.77.0.1,IP:fd77::1,DNS:node1,URI:rollcall://alps/node/node1");
    }
    var services =
        new GrpcServices(
            serverVertx,
            List.of(service.bindService()),
            keepAlive,
            Optional.empty(),
            PeerBounds.wide());
    port = await(transport.listen(services, directory)).port();
  }

  Vertx serverVertx() {
    return serverVertx;
  }

  Vertx clientVertx() {
    return clientVertx;
  }

  public GrpcChannel channel() {
    return channel(port, KeepAlive.CALM);
  }

  GrpcChannel channel(int atPort, KeepAlive keepAlive) {
    var channel = transport.open(clientVertx, directory, atPort, keepAlive);
    channels.add(channel);
    return channel;
  }

  /** Opens a stream and waits for its welcome. */
  public StreamObserver<ConnectRequest> connect(
      GrpcChannel channel, Recorder<ConnectRequest, ConnectResponse> recorder)
      throws InterruptedException {
    StreamObserver<ConnectRequest> requests = RollServiceGrpc.newStub(channel).connect(recorder);
    recorder.next();
    return requests;
  }

  static ConnectRequest hello(String node) {
    return ConnectRequest.newBuilder().setHello(Hello.newBuilder().setNode(node)).build();
  }

  static <T> T await(Future<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    channels.forEach(channel -> ended(channel.close()));
    ended(clientVertx.close());
    ended(serverVertx.close());
  }

  private static void ended(Future<Void> closing) {
    closing.toCompletionStage().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }
}
