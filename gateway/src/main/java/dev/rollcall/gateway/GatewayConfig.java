package dev.rollcall.gateway;

import dev.rollcall.model.Endpoint;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.settings.TracesPlace;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Holds the keys of {@code gateway.yaml}.
 *
 * @param listen where agents and clients come
 * @param advertise the address under which agents and other gateways know it; by default {@code
 *     listen}
 * @param members of the grid, host:port; empty: this one alone
 * @param memberListen where its own member listens
 * @param memberNetworkIsProtected the site keeps all but gateways away from {@code memberListen}
 * @param tls required unless {@code listen} is on loopback
 * @param metrics where they and the health are served; a port that is not on loopback takes TLS
 * @param traces where its part in nodes' logins is told; absent: nowhere
 * @param lease a node that is not heard of for this long is lost
 * @param keepCalls how long a call stays in the roll
 * @param squeue the program that is asked for what nodes do not know of their jobs; empty: nobody
 *     is
 * @param squeueEvery the least time from one run of it to the next
 * @param auditFile where refusals and who asked for what are written, a line of JSON each
 * @param offered what there is beside the API
 * @param trust who is who
 */
record GatewayConfig(
    String cluster,
    HostPort listen,
    HostPort advertise,
    List<String> members,
    Endpoint memberListen,
    boolean memberNetworkIsProtected,
    Optional<TlsFiles> tls,
    MetricsPlace metrics,
    Optional<TracesPlace> traces,
    Duration lease,
    Duration keepCalls,
    Optional<Path> squeue,
    Duration squeueEvery,
    Path auditFile,
    Offered offered,
    TrustConfig trust) {
  /**
   * What a gateway offers besides: the keys {@code console} and {@code reflection}.
   *
   * @param console the page for administrators
   * @param reflection gRPC's description of the services, for tools such as grpcurl
   */
  record Offered(boolean console, boolean reflection) {
    static final Offered DEFAULTS = new Offered(true, false);
  }

  /** The embedded default: one gateway, on loopback. */
  static final GatewayConfig DEFAULTS =
      new GatewayConfig(
          "cluster",
          new HostPort("127.0.0.1", 7450),
          new HostPort("127.0.0.1", 7450),
          List.of(),
          Endpoint.parse("127.0.0.1:7452"),
          false,
          Optional.empty(),
          new MetricsPlace.Socket(Path.of("/run/rollcall-gateway/metrics.sock")),
          Optional.empty(),
          Duration.ofSeconds(180),
          Duration.ofSeconds(150),
          Optional.empty(),
          Duration.ofSeconds(30),
          Path.of("/var/log/rollcall-gateway/audit.jsonl"),
          Offered.DEFAULTS,
          TrustConfig.DEFAULTS);

  GatewayConfig {
    members = List.copyOf(members);
  }
}
