package dev.rollcall.gateway;

import dev.rollcall.model.Endpoint;
import dev.rollcall.proto.v1.ListGatewaysResponse;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.Kind;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.tls.TlsFiles;
import java.net.URI;
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
    Duration lease,
    Duration keepCalls,
    Optional<Path> squeue,
    Duration squeueEvery,
    Path auditFile,
    Offered offered,
    TrustConfig trust) {
  /**
   * Optional pages and services of a gateway: the keys {@code console}, {@code reflection} and
   * {@code grafana_*}.
   *
   * @param console the page for administrators
   * @param reflection gRPC's description of the services, for tools such as grpcurl
   * @param grafanaJob the address of a dashboard, with {@code {job}}
   * @param grafanaNode likewise, with {@code {node}}
   */
  record Offered(
      boolean console,
      boolean reflection,
      Optional<String> grafanaJob,
      Optional<String> grafanaNode) {
    ListGatewaysResponse links() {
      return ListGatewaysResponse.newBuilder()
          .setGrafanaJobUrl(grafanaJob.orElse(""))
          .setGrafanaNodeUrl(grafanaNode.orElse(""))
          .build();
    }
  }

  private static final int LONGEST_SECONDS = 86_400;
  private static final Kind<Endpoint> ENDPOINT = Kind.of("address:port", Endpoint::parse);
  private static final Kind<String> MEMBER =
      Kind.of("host:port", text -> HostPort.parse(text).toString());

  /** Of an empty file: one gateway, on loopback. */
  static final GatewayConfig DEFAULTS = defaults();

  GatewayConfig {
    members = List.copyOf(members);
  }

  private static GatewayConfig defaults() {
    try {
      return read(ConfigFile.of("gateway.yaml", ""));
    } catch (BadConfigException e) {
      throw new IllegalStateException("an empty gateway.yaml is refused", e);
    }
  }

  /**
   * @throws BadConfigException naming file, line, key and value
   */
  static GatewayConfig read(ConfigFile file) throws BadConfigException {
    HostPort listen = file.value("listen", Kind.hostPort(), new HostPort("127.0.0.1", 7450));
    var config =
        new GatewayConfig(
            file.value("cluster", Kind.word(), "cluster"),
            listen,
            file.value("advertise", Kind.hostPort()).orElse(listen),
            file.values("members", MEMBER, List.of()),
            file.value("member_listen", ENDPOINT, Endpoint.parse("127.0.0.1:7452")),
            file.value("member_network_is_protected", Kind.yesOrNo(), false),
            tls(file.section("tls")),
            file.value(
                "metrics",
                Kind.metricsPlace(),
                new MetricsPlace.Socket(Path.of("/run/rollcall-gateway/metrics.sock"))),
            file.value("lease_seconds", Kind.seconds(3, LONGEST_SECONDS), Duration.ofSeconds(180)),
            file.value("call_seconds", Kind.seconds(1, LONGEST_SECONDS), Duration.ofSeconds(150)),
            file.value("squeue", Kind.path()),
            file.value("squeue_seconds", Kind.seconds(1, LONGEST_SECONDS), Duration.ofSeconds(30)),
            file.value("audit_file", Kind.path(), Path.of("/var/log/rollcall-gateway/audit.jsonl")),
            new Offered(
                file.value("console", Kind.yesOrNo(), true),
                file.value("reflection", Kind.yesOrNo(), false),
                file.value("grafana_job_url", webPage("{job}")),
                file.value("grafana_node_url", webPage("{node}"))),
            TrustConfig.read(file));
    file.end();
    config.check(file);
    return config;
  }

  private static Kind<String> webPage(String place) {
    return Kind.of(
        "an address of http or https with `" + place + "`",
        text -> {
          URI uri = URI.create(text.replace(place, "x"));
          if (!text.contains(place)
              || !List.of("http", "https").contains(uri.getScheme())
              || uri.getHost() == null) {
            throw new IllegalArgumentException(
                "'" + text + "' is not an address of http or https with " + place);
          }
          return text;
        });
  }

  private static Optional<TlsFiles> tls(Optional<ConfigFile> section) throws BadConfigException {
    if (section.isEmpty()) {
      return Optional.empty();
    }
    ConfigFile file = section.get();
    var files =
        new TlsFiles(
            file.required("ca", Kind.path()),
            file.required("certificate", Kind.path()),
            file.required("key", Kind.path()),
            file.value("crl", Kind.path()));
    file.end();
    return Optional.of(files);
  }

  private void check(ConfigFile file) throws BadConfigException {
    if (!listen.loopback() && tls.isEmpty()) {
      throw file.bad("listen", listen + " is not on loopback, so tls is required");
    }
    if (trust.tokens().isPresent() && tls.isEmpty()) {
      throw file.bad(
          "tokens", "without TLS all hosts on the way could read them, so tls is required");
    }
    Optional<HostPort> scraped = metrics.remote();
    if (scraped.isPresent() && tls.isEmpty()) {
      throw file.bad("metrics", scraped.get() + " is not on loopback, so tls is required");
    }
    if (memberListen.address().isAnyLocalAddress()) {
      throw file.bad("member_listen", memberListen + ": name one address, not every one");
    }
    String host = advertise.host();
    if (host.equals("0.0.0.0") || host.equals("::")) {
      throw file.bad("advertise", advertise + " is not an address that other machines can reach");
    }
  }
}
