package dev.rollcall.cli.doctor;

import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.address.ServerHttpClient;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.tls.TlsFiles;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientBuilder;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads an agent's answer at {@code /health/ready}, whether it is ready or not. */
final class ReadyPage {
  /** The handshake of a new JVM takes seconds on a busy node. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String PATH = "/health/ready";

  private ReadyPage() {}

  /**
   * @param node the agent's own TLS files, if it has any
   */
  static String of(MetricsPlace place, Optional<TlsFiles> node)
      throws IOException, InterruptedException {
    var options = new HttpClientOptions().setConnectTimeout((int) PATIENCE.toMillis());
    var page = new RequestOptions().setURI(PATH);
    switch (place) {
      case MetricsPlace.Socket(Path path) -> {
        if (Files.notExists(path)) {
          throw new NoSuchFileException(path.toString());
        }
        page.setServer(SocketAddress.domainSocketAddress(path.toString())).setHost("localhost");
      }
      case MetricsPlace.Port(HostPort at) -> {
        page.setSsl(!at.loopback());
        if (!at.loopback()) {
          present(
              options,
              node.orElseThrow(
                  () -> new IOException("the page needs TLS, and agent.yaml has none")));
        }
      }
    }
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    HttpClientBuilder clients = vertx.httpClientBuilder().with(options);
    HttpClient client = // one that nobody holds is closed
        place instanceof MetricsPlace.Port(HostPort at)
            ? new ServerHttpClient(vertx, clients, at.host(), at.port())
            : clients.build();
    try {
      return client
          .request(page)
          .compose(HttpClientRequest::send)
          .compose(HttpClientResponse::body)
          .map(Buffer::toString)
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + PATIENCE.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(telling(e.getCause() == null ? e : e.getCause()).toString(), e);
    } finally {
      client.close().onComplete(_ -> vertx.close());
    }
  }

  /**
   * Trusts each server that the authority has signed, whatever its name: the address is this node's
   * own, and may be one for all of its networks. The agent admits its own node's certificate.
   */
  private static void present(HttpClientOptions options, TlsFiles node) throws IOException {
    if (!Files.isReadable(node.key())) {
      throw new IOException(
          "no permission to read " + node.key() + ", the node's key: ask as root");
    }
    var shown = new PemKeyCertOptions();
    shown.addCertPath(node.certificate().toString()).addKeyPath(node.key().toString());
    options
        .setTrustOptions(new PemTrustOptions().addCertPath(node.ca().toString()))
        .setKeyCertOptions(shown)
        .setVerifyHost(false);
  }

  /** The first that says what its cause says, too. */
  private static Throwable telling(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null
            || String.valueOf(failure.getMessage()).contains(String.valueOf(cause.getMessage()))
        ? failure
        : telling(cause);
  }
}
