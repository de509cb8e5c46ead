package dev.rollcall.gateway.http;

import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.MessageLimits;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Services of a test behind {@link HttpApi}, on a port of loopback. */
final class ServedApi implements AutoCloseable {
  private final Vertx vertx = VertxSettings.start(VertxSettings.busy());
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final GrpcServices.Listening listening;

  /** What its clients hold, 1 MiB each and 4 MiB together. */
  final MemoryBudget memory = new MemoryBudget(1 << 20, 4 << 20, new SimpleMeterRegistry());

  ServedApi(BindableService... services) {
    this(Arrays.stream(services).map(BindableService::bindService).toList());
  }

  ServedApi(List<ServerServiceDefinition> services) {
    var api = new HttpApi(vertx, services, "0.1.0");
    var bounds =
        new PeerBounds(
            memory, (_, _) -> MessageLimits.MESSAGE_BYTES, Peer::account, _ -> Optional.empty());
    listening =
        ended(
            new GrpcServices(vertx, services, KeepAlive.CALM, Optional.of(api), bounds)
                .listenTcp("127.0.0.1", 0, Optional.empty(), Certificates.REQUIRED));
  }

  int port() {
    return listening.port();
  }

  HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Duration.ofSeconds(20));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static <T> T ended(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    client.close();
    ended(listening.close());
    ended(vertx.close());
  }
}
