package dev.rollcall.agent.health;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Topics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.Set;

/** Serves {@code /metrics}, {@code /health/live} and {@code /health/ready} over HTTP. */
public final class HealthVerticle extends VerticleBase {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final Bus bus;
  private final String host;
  private final int port;
  private final PrometheusMeterRegistry registry;
  private final Readiness readiness;

  /**
   * @param awaited the stages without which the agent is not ready
   */
  public HealthVerticle(
      Bus bus, String host, int port, Set<String> awaited, PrometheusMeterRegistry registry) {
    this.bus = bus;
    this.host = host;
    this.port = port;
    this.registry = registry;
    this.readiness = new Readiness(awaited);
  }

  @Override
  public Future<?> start() {
    bus.hear(Topics.HEALTH_CHANGED, readiness::changed);
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
          response
              .setStatusCode(readiness.ready() ? 200 : 503)
              .putHeader("content-type", "application/json")
              .end(readiness.report().encodePrettily() + "\n");
      case null, default ->
          response
              .setStatusCode(404)
              .end("there are /metrics, /health/live and /health/ready here\n");
    }
  }
}
