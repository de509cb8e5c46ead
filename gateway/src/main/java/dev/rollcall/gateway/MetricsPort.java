package dev.rollcall.gateway;

import dev.rollcall.gateway.describe.HealthService;
import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.metrics.MetricsServer;
import dev.rollcall.wire.metrics.Readers;
import dev.rollcall.wire.tls.TlsIdentity;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Serves a gateway's metrics and health at the configured address. */
final class MetricsPort {
  private MetricsPort() {}

  /**
   * Opens it.
   *
   * @param tls the gateway's own, for a port that is not on loopback
   * @param hung the part of the gateway that does not answer, if there is one
   */
  static Future<Listening> open(
      Vertx vertx,
      GatewayConfig config,
      Optional<TlsIdentity> tls,
      PrometheusMeterRegistry registry,
      HealthService health,
      Supplier<Optional<String>> hung) {
    var server =
        new MetricsServer(
            vertx,
            registry::scrape,
            health::report,
            hung,
            new Readers(config.cluster(), commonNames(config.trust().named())));
    return switch (config.metrics()) {
      case MetricsPlace.Socket(Path path) -> server.listen(path);
      case MetricsPlace.Port(HostPort at) ->
          server.listen(
              at.host(),
              at.port(),
              at.loopback() ? Optional.empty() : tls,
              Certificates.REQUESTED); // a kubelet and load balancers have none
    };
  }

  private static Set<String> commonNames(NamedCertificates named) {
    var names = new HashSet<>(named.administrators());
    named
        .services()
        .forEach((name, endpoints) -> {
          if (endpoints.isEmpty()) {
            names.add(name);
          }
        });
    return names;
  }
}
