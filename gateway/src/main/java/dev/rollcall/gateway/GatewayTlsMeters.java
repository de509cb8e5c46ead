package dev.rollcall.gateway;

import dev.rollcall.wire.tls.TlsIdentity;
import dev.rollcall.wire.tls.TlsWatch;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;

/** Has an identity's files looked at, and counts what comes of it. */
final class GatewayTlsMeters {
  private GatewayTlsMeters() {}

  static void watch(Vertx vertx, TlsIdentity identity, MeterRegistry registry) {
    registry.gauge(
        "rollcall.gateway.tls.certificate.expires.seconds", identity, TlsIdentity::secondsLeft);
    // For as long as the process runs.
    var _ =
        TlsWatch.start(
            vertx,
            identity,
            TlsWatch.EVERY,
            outcome ->
                registry.counter("rollcall.gateway.tls.renewals", "outcome", outcome).increment());
  }
}
