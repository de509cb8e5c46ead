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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;

/**
 * Serves {@code /metrics}, {@code /metrics/jobs}, {@code /health/live} and {@code /health/ready}:
 * on a unix socket of this process's user, by TLS, or in plaintext on loopback. By TLS every client
 * that the handshake admits reads the health, and only {@link Readers} the metrics.
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

  private final RecentPages scrape;
  private final Optional<RecentPages> jobs;
  private final Supplier<HealthReport> health;
  private final Supplier<Optional<String>> hung;
  private final Readers readers;
  private final Vertx vertx;
  private final GrpcServices server;

  /** Without a page of jobs. */
  public MetricsServer(
      Vertx vertx,
      UnaryOperator<String> scrape,
      Supplier<HealthReport> health,
      Supplier<Optional<String>> hung,
      Readers readers) {
    this(vertx, scrape, Optional.empty(), health, hung, readers);
  }

  /**
   * @param scrape from a content type to the metrics in it; called at most once a second for each
   * @param jobs from a content type to the page of jobs in it, in gzip; likewise. Absent: there is
   *     none
   * @param health asked for on the event loop of a connection
   * @param hung the part of this process that does not answer, if there is one
   */
  public MetricsServer(
      Vertx vertx,
      UnaryOperator<String> scrape,
      Optional<Function<String, Future<byte[]>>> jobs,
      Supplier<HealthReport> health,
      Supplier<Optional<String>> hung,
      Readers readers) {
    this.vertx = vertx;
    this.scrape = new RecentPages(type -> packed(scrape, type), BETWEEN_PAGES);
    this.jobs = jobs.map(making -> new RecentPages(making, BETWEEN_PAGES));
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
      case "/metrics", "/metrics/jobs" ->
          readers
              .objection(peer)
              .ifPresentOrElse(
                  why -> response.setStatusCode(FORBIDDEN).end(why + "\n"),
                  () -> metrics(request, memory));
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
              .end("this server has /metrics, /metrics/jobs, /health/live and /health/ready\n");
    }
  }

  private void metrics(HttpServerRequest request, HeldMemory memory) {
    HttpServerResponse response = request.response();
    String type = type(request);
    Optional<RecentPages> pages = request.path().equals("/metrics") ? Optional.of(scrape) : jobs;
    pages.ifPresentOrElse(
        recent ->
            tell(
                recent.page(type),
                response,
                type,
                page -> CompressedPage.send(page, request, memory)),
        () ->
            response
                .setStatusCode(404)
                .end("job_metrics is 'no' in this process's configuration\n"));
  }

  private static Future<byte[]> packed(UnaryOperator<String> scrape, String type) {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(scrape.apply(type).getBytes(StandardCharsets.UTF_8));
    } catch (IOException | RuntimeException e) {
      return Future.failedFuture(e);
    }
    return Future.succeededFuture(bytes.toByteArray());
  }

  /** Prometheus requests OpenMetrics first. Clients that do not name it get the older format. */
  private static String type(HttpServerRequest request) {
    String accepted = request.getHeader(HttpHeaders.ACCEPT);
    return accepted != null && accepted.contains("application/openmetrics-text")
        ? OPEN_METRICS
        : TEXT;
  }

  private static <P> void tell(
      Future<P> made, HttpServerResponse response, String type, Consumer<P> sending) {
    made.onComplete(page -> {
      if (response.closed()) {
        return;
      }
      if (page.succeeded()) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, type);
        sending.accept(page.result());
      } else {
        LOG.log(Level.WARNING, "the metrics could not be rendered", page.cause());
        response.setStatusCode(INTERNAL).end("the metrics could not be rendered\n");
      }
    });
  }
}
