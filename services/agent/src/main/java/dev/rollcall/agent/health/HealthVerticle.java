package dev.rollcall.agent.health;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.metrics.HealthReport;
import dev.rollcall.wire.metrics.MetricsServer;
import dev.rollcall.wire.metrics.Readers;
import dev.rollcall.wire.tls.TlsIdentity;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves {@code /metrics}, {@code /health/live} and {@code /health/ready} over HTTP. */
public final class HealthVerticle extends VerticleBase {
  /**
   * Where, and by whose word.
   *
   * @param tls the node's own, for a port that is not on loopback
   * @param cluster whose administrators and monitors may read there
   */
  public record Place(MetricsPlace at, Optional<TlsIdentity> tls, String cluster) {}

  private final Bus bus;
  private final Place place;
  private final PrometheusMeterRegistry registry;
  private final Supplier<Optional<String>> hung;
  private final Optional<Function<String, byte[]>> jobs;
  private final Map<String, StageHealth> stages = new TreeMap<>();
  private @Nullable Listening listening;

  /**
   * @param awaited the stages without which the agent is not ready; until they report something
   *     they are not well
   * @param hung the part of the agent that does not answer, if there is one
   * @param jobs from a content type to the page of jobs, in gzip; reads many files. Absent: there
   *     is none
   */
  public HealthVerticle(
      Bus bus,
      Place place,
      Set<String> awaited,
      Supplier<Optional<String>> hung,
      Optional<Function<String, byte[]>> jobs,
      PrometheusMeterRegistry registry) {
    this.bus = bus;
    this.place = place;
    this.registry = registry;
    this.hung = hung;
    this.jobs = jobs;
    awaited.forEach(
        stage -> stages.put(stage, new StageHealth(stage, true, false, "has not started yet")));
  }

  @Override
  public Future<?> start() {
    bus.hear(Topics.HEALTH_CHANGED, health -> stages.put(health.stage(), health));
    var server =
        new MetricsServer(
            vertx,
            registry::scrape,
            jobs.map(this::pages),
            this::health,
            hung,
            new Readers(place.cluster(), Set.of()));
    return listen(server).onSuccess(opened -> listening = opened);
  }

  /** On a thread of its own. */
  private Function<String, Future<byte[]>> pages(Function<String, byte[]> page) {
    WorkerExecutor worker = vertx.createSharedWorkerExecutor("rollcall-series", 1);
    return type -> worker.executeBlocking(() -> page.apply(type), false);
  }

  private Future<Listening> listen(MetricsServer server) {
    return switch (place.at()) {
      case MetricsPlace.Socket(var path) -> server.listen(path);
      case MetricsPlace.Port(HostPort at) ->
          server.listen(
              at.host(),
              at.port(),
              at.loopback() ? Optional.empty() : place.tls(),
              Certificates.REQUIRED);
    };
  }

  /** With a reason for each stage, also for those that are not needed. */
  private HealthReport health() {
    boolean ready = stages.values().stream().noneMatch(stage -> stage.needed() && !stage.well());
    var reasons = new JsonArray();
    stages
        .values()
        .forEach(stage ->
            reasons.add(
                new JsonObject()
                    .put("stage", stage.stage())
                    .put("well", stage.well())
                    .put("needed", stage.needed())
                    .put("detail", stage.detail())));
    var report = new JsonObject().put("ready", ready).put("stages", reasons);
    return new HealthReport(ready, "application/json", report.encodePrettily());
  }

  @Override
  public Future<?> stop() {
    Listening opened = listening;
    return opened == null ? Future.succeededFuture() : opened.close();
  }
}
