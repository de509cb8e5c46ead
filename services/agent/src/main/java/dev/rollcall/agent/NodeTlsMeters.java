package dev.rollcall.agent;

import dev.rollcall.wire.tls.TlsIdentity;
import dev.rollcall.wire.tls.TlsWatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;

/** Has an identity's files looked at, and counts what comes of it. */
final class NodeTlsMeters {
  private NodeTlsMeters() {}

  static void watch(Vertx vertx, TlsIdentity identity, MeterRegistry registry) {
    registry.gauge("rollcall.tls.certificate.expires.seconds", identity, TlsIdentity::secondsLeft);
    // From the start: increase() does not count the first event of a series that begins with it.
    for (String outcome : TlsWatch.OUTCOMES) {
      renewals(registry, outcome);
    }
    // For as long as the process runs.
    var _ =
        TlsWatch.start(
            vertx, identity, TlsWatch.EVERY, outcome -> renewals(registry, outcome).increment());
  }

  private static Counter renewals(MeterRegistry registry, String outcome) {
    return registry.counter("rollcall.tls.renewals", "outcome", outcome);
  }
}
