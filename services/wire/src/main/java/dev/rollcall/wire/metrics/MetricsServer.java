package dev.rollcall.wire.metrics;

import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.tls.TlsIdentity;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Serves {@code /metrics}, {@code /health/live} and {@code /health/ready}: on a unix socket of this
 * process's user, by TLS, or in plaintext on loopback. By TLS every client that the handshake
 * admits reads the health, and only {@link Readers} the metrics.
 */
public final class MetricsServer {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";
  private static final String OWNERS_ALONE = "rw-------";
  private static final int FORBIDDEN = 403;
  private static final int INTERNAL = 500;
  private static final int UNAVAILABLE = 503;
  private static final Duration BETWEEN_PAGES = Duration.ofSeconds(1);
  private static final System.Logger LOG = System.getLogger(MetricsServer.class.getName());

  private final ThrottledScrape scrape;
  private final Supplier<HealthReport> health;
  private final Supplier<Optional<String>> hung;
  private final Readers readers;
  private final Vertx vertx;
  private final GrpcServices server;

  /**
   * @param scrape from a content type to the metrics in it; called at most once a second for each
   * @param health asked for on the event loop of a connection
   * @param hung the part of this process that does not answer, if there is one
   */
  public MetricsServer(
      Vertx vertx,
      UnaryOperator<String> scrape,
      Supplier<HealthReport> health,
      Supplier<Optional<String>> hung,
      Readers readers) {
    this.vertx = vertx;
    this.scrape = new ThrottledScrape(vertx, scrape, BETWEEN_PAGES);
    this.health = health;
    this.hung = hung;
    this.readers = readers;
    server =
        GrpcServices.ofPages(
            vertx, KeepAlive.CALM, this::answer, PeerBounds.ofPages(readers::account));
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
   * @param certificates whether the handshake admits clients without one, as probes are
   */
  public Future<Listening> listen(
      String host, int port, Optional<TlsIdentity> tls, Certificates certificates) {
    return server.listenTcp(host, port, tls, certificates);
  }

  private void answer(HttpServerRequest request, Peer peer, HeldMemory memory) {
    var response = request.response();
    switch (request.path()) {
      case "/metrics" ->
          readers
              .objection(peer)
              .ifPresentOrElse(
                  why -> response.setStatusCode(FORBIDDEN).end(why + "\n"),
                  () -> tell(response, type(request)));
      case "/health/live" ->
          hung.get()
              .ifPresentOrElse(
                  part -> response.setStatusCode(UNAVAILABLE).end(part + "\n"),
                  () -> response.end("live\n"));
      case "/health/ready" -> {
        HealthReport now = health.get();
        response
            .setStatusCode(now.ready() ? 200 : UNAVAILABLE)
            .putHeader(HttpHeaders.CONTENT_TYPE, now.type())
            .end(now.report() + "\n");
      }
      case null, default ->
          response
              .setStatusCode(404)
              .end("this server has /metrics, /health/live and /health/ready\n");
    }
  }

  /** Prometheus requests OpenMetrics first. Clients that do not name it get the older format. */
  private static String type(HttpServerRequest request) {
    String accepted = request.getHeader(HttpHeaders.ACCEPT);
    return accepted != null && accepted.contains("application/openmetrics-text")
        ? OPEN_METRICS
        : TEXT;
  }

  private void tell(HttpServerResponse response, String type) {
    scrape
        .page(type)
        .onComplete(page -> {
          if (response.closed()) {
            return;
          }
          if (page.succeeded()) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, type).end(page.result());
          } else {
            LOG.log(Level.WARNING, "the metrics could not be rendered", page.cause());
            response.setStatusCode(INTERNAL).end("the metrics could not be rendered\n");
          }
        });
  }
}
