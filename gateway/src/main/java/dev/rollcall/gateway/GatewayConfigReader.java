package dev.rollcall.gateway;

import dev.rollcall.model.Endpoint;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.Kind;
import dev.rollcall.settings.TracesPlace;
import dev.rollcall.wire.tls.TlsFiles;
import java.util.Optional;

/** Reads {@code gateway.yaml}. */
final class GatewayConfigReader {
  private static final int LONGEST_SECONDS = 86_400;

  private static final Kind<Endpoint> ENDPOINT = Kind.of("address:port", Endpoint::parse);
  private static final Kind<String> MEMBER =
      Kind.of("host:port", text -> HostPort.parse(text).toString());

  private GatewayConfigReader() {}

  /**
   * @throws BadConfigException naming file, line, key and value
   */
  static GatewayConfig read(ConfigFile file) throws BadConfigException {
    GatewayConfig defaults = GatewayConfig.DEFAULTS;
    HostPort listen = file.value("listen", Kind.hostPort(), defaults.listen());
    var config =
        new GatewayConfig(
            file.value("cluster", Kind.word(), defaults.cluster()),
            listen,
            file.value("advertise", Kind.hostPort()).orElse(listen),
            file.values("members", MEMBER, defaults.members()),
            file.value("member_listen", ENDPOINT, defaults.memberListen()),
            file.value(
                "member_network_is_protected", Kind.yesOrNo(), defaults.memberNetworkIsProtected()),
            tls(file.section("tls")),
            file.value("metrics", Kind.metricsPlace(), defaults.metrics()),
            file.value("traces", Kind.tracesPlace()),
            file.value("lease_seconds", Kind.seconds(3, LONGEST_SECONDS), defaults.lease()),
            file.value("call_seconds", Kind.seconds(1, LONGEST_SECONDS), defaults.keepCalls()),
            file.value("squeue", Kind.path()),
            file.value("squeue_seconds", Kind.seconds(1, LONGEST_SECONDS), defaults.squeueEvery()),
            file.value("audit_file", Kind.path(), defaults.auditFile()),
            new GatewayConfig.Offered(
                file.value("console", Kind.yesOrNo(), defaults.offered().console()),
                file.value("reflection", Kind.yesOrNo(), defaults.offered().reflection())),
            TrustConfigReader.read(file));
    file.end();
    check(file, config);
    return config;
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

  private static void check(ConfigFile file, GatewayConfig config) throws BadConfigException {
    if (!config.listen().loopback() && config.tls().isEmpty()) {
      throw file.bad("listen", config.listen() + " is not on loopback, so tls is required");
    }
    if (config.trust().tokens().isPresent() && config.tls().isEmpty()) {
      throw file.bad(
          "tokens", "without TLS all hosts on the way could read them, so tls is required");
    }
    Optional<HostPort> scraped = config.metrics().remote();
    if (scraped.isPresent() && config.tls().isEmpty()) {
      throw file.bad("metrics", scraped.get() + " is not on loopback, so tls is required");
    }
    Optional<TracesPlace> collector = config.traces().filter(TracesPlace::tls);
    if (collector.isPresent() && config.tls().isEmpty()) {
      throw file.bad("traces", collector.get() + " is reached by TLS, so tls is required");
    }
    String host = config.advertise().host();
    if (host.equals("0.0.0.0") || host.equals("::")) {
      throw file.bad(
          "advertise", config.advertise() + " is not an address that other machines can reach");
    }
  }
}
