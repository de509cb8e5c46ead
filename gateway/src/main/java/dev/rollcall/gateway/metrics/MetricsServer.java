package dev.rollcall.gateway.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;

/** {@code /metrics}, {@code /health/live} and {@code /health/ready}. */
public final class MetricsServer {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry;
  private final Readiness readiness;

  public MetricsServer(PrometheusMeterRegistry registry, Readiness readiness) {
    this.registry = registry;
    this.readiness = readiness;
  }

  /** A port in use fails with a message that names it. */
  public Future<HttpServer> listen(Vertx vertx, String host, int port) {
    return vertx
        .createHttpServer(new HttpServerOptions().setIdleTimeout(30))
        .requestHandler(this::answer)
        .listen(port, host)
        .recover(cause ->
            Future.failedFuture(
                new IOException(
                    "cannot listen on " + host + ":" + port + " (metrics): " + cause.getMessage(),
                    cause)));
  }

  private void answer(HttpServerRequest request) {
    var response = request.response();
    switch (request.path()) {
      case "/metrics" -> response.putHeader("content-type", TEXT).end(registry.scrape());
      case "/health/live" -> response.end("live\n");
      case "/health/ready" ->
          response.setStatusCode(readiness.isReady() ? 200 : 503).end(readiness.detail() + "\n");
      case null, default ->
          response
              .setStatusCode(404)
              .end("there are /metrics, /health/live and /health/ready here\n");
    }
  }
}
