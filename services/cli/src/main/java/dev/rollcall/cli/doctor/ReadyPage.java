package dev.rollcall.cli.doctor;

import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
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
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final String PATH = "/health/ready";

  private ReadyPage() {}

  /**
   * @param ca who signed the agent's certificate, if it has one
   */
  static String of(MetricsPlace place, Optional<Path> ca) throws IOException, InterruptedException {
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
        page.setHost(at.host()).setPort(at.port()).setSsl(!at.loopback());
        if (!at.loopback()) {
          trust(
              options,
              ca.orElseThrow(() -> new IOException("the page needs TLS, and agent.yaml has none")));
        }
      }
    }
    Vertx vertx = VertxSettings.start(VertxSettings.quiet());
    HttpClient client = vertx.createHttpClient(options); // one that nobody holds is closed
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
   * Whom the authority has signed is believed, whatever the name: the address is this node's own,
   * and may be one for all of its networks. Nothing is shown, as probes show nothing.
   */
  private static void trust(HttpClientOptions options, Path ca) {
    options.setTrustOptions(new PemTrustOptions().addCertPath(ca.toString())).setVerifyHost(false);
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
