package dev.rollcall.wire.metrics;

import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.tls.TlsIdentity;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * {@code /metrics}, {@code /health/live} and {@code /health/ready}: on a unix socket of this
 * process's own user, by TLS, or in clear on loopback. By TLS the health is told to everybody who
 * gets there, as probes show no certificate, and the metrics to {@link Readers} alone.
 */
public final class MetricsServer {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";
  private static final String OWNERS_ALONE = "rw-------";
  private static final int FORBIDDEN = 403;

  private final UnaryOperator<String> scrape;
  private final Supplier<Health> health;
  private final Readers readers;
  private final Vertx vertx;
  private final GrpcServices server;

  /**
   * @param scrape from a content type to the metrics in it
   * @param health asked for on the event loop of a connection
   */
  public MetricsServer(
      Vertx vertx, UnaryOperator<String> scrape, Supplier<Health> health, Readers readers) {
    this.vertx = vertx;
    this.scrape = scrape;
    this.health = health;
    this.readers = readers;
    server = GrpcServices.ofPages(vertx, KeepAlive.CALM, this::answer);
  }

  /** On a socket whose file only this process's user may open; its directory is made. */
  public Future<Listening> listen(Path socket) {
    return vertx
        .executeBlocking(() -> Files.createDirectories(socket.toAbsolutePath().getParent()))
        .compose(_ -> server.listenUnix(socket, OWNERS_ALONE));
  }

  /**
   * On a TCP port.
   *
   * @param tls absent: in clear, for loopback only
   */
  public Future<Listening> listen(String host, int port, Optional<TlsIdentity> tls) {
    return server.listenTcp(host, port, tls, Certificates.REQUESTED);
  }

  private void answer(HttpServerRequest request, Peer peer) {
    var response = request.response();
    switch (request.path()) {
      case "/metrics" ->
          readers
              .objection(peer)
              .ifPresentOrElse(
                  why -> response.setStatusCode(FORBIDDEN).end(why + "\n"),
                  () -> tell(response, type(request)));
      case "/health/live" -> response.end("live\n");
      case "/health/ready" -> {
        Health now = health.get();
        response
            .setStatusCode(now.ready() ? 200 : 503)
            .putHeader(HttpHeaders.CONTENT_TYPE, now.type())
            .end(now.report() + "\n");
      }
      case null, default ->
          response
              .setStatusCode(404)
              .end("there are /metrics, /health/live and /health/ready here\n");
    }
  }

  /** Prometheus names OpenMetrics first; whoever does not name it gets what is older. */
  private static String type(HttpServerRequest request) {
    String accepted = request.getHeader(HttpHeaders.ACCEPT);
    return accepted != null && accepted.contains("application/openmetrics-text")
        ? OPEN_METRICS
        : TEXT;
  }

  private void tell(HttpServerResponse response, String type) {
    response.putHeader(HttpHeaders.CONTENT_TYPE, type).end(scrape.apply(type));
  }
}
