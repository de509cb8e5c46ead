package dev.rollcall.gateway;

import dev.rollcall.model.Endpoint;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Reads {@code gateway.yaml}. */
final class GatewayConfigReader {
  private static final int LONGEST_SECONDS = 86_400;

  private GatewayConfigReader() {}

  /**
   * @throws BadConfigException naming file, line, key and value
   */
  static GatewayConfig read(ConfigFile file) throws BadConfigException {
    GatewayConfig defaults = GatewayConfig.DEFAULTS;
    HostPort listen = file.value("listen", HostPort::parse).orElse(defaults.listen());
    var config =
        new GatewayConfig(
            file.value("cluster", GatewayConfigReader::word).orElse(defaults.cluster()),
            listen,
            file.value("advertise", HostPort::parse).orElse(listen),
            file.values("members", text -> HostPort.parse(text).toString())
                .orElse(defaults.members()),
            file.value("member_listen", Endpoint::parse).orElse(defaults.memberListen()),
            file.value("member_network_is_protected", GatewayConfigReader::yesOrNo)
                .orElse(defaults.memberNetworkIsProtected()),
            tls(file.section("tls")),
            file.value("metrics", MetricsPlace::parse).orElse(defaults.metrics()),
            seconds(file, "lease_seconds", 3).orElse(defaults.lease()),
            seconds(file, "call_seconds", 1).orElse(defaults.keepCalls()),
            file.value("squeue", GatewayConfigReader::path),
            seconds(file, "squeue_seconds", 1).orElse(defaults.squeueEvery()),
            file.value("audit_file", GatewayConfigReader::path).orElse(defaults.auditFile()),
            new GatewayConfig.Offered(
                file.value("console", GatewayConfigReader::yesOrNo)
                    .orElse(defaults.offered().console()),
                file.value("reflection", GatewayConfigReader::yesOrNo)
                    .orElse(defaults.offered().reflection())),
            TrustConfigReader.read(file));
    file.end();
    check(config);
    return config;
  }

  private static Optional<TlsFiles> tls(Optional<ConfigFile> section) throws BadConfigException {
    if (section.isEmpty()) {
      return Optional.empty();
    }
    ConfigFile file = section.get();
    var files =
        new TlsFiles(
            file.required("ca", GatewayConfigReader::path),
            file.required("certificate", GatewayConfigReader::path),
            file.required("key", GatewayConfigReader::path),
            file.value("crl", GatewayConfigReader::path));
    file.end();
    return Optional.of(files);
  }

  private static void check(GatewayConfig config) throws BadConfigException {
    if (!config.listen().loopback() && config.tls().isEmpty()) {
      throw new BadConfigException(
          "listen: " + config.listen() + " is not on loopback, so tls is required");
    }
    Optional<HostPort> scraped = config.metrics().remote();
    if (scraped.isPresent() && config.tls().isEmpty()) {
      throw new BadConfigException(
          "metrics: " + scraped.get() + " is not on loopback, so tls is required");
    }
    String host = config.advertise().host();
    if (host.equals("0.0.0.0") || host.equals("::")) {
      throw new BadConfigException(
          "advertise: " + config.advertise() + " is no address that others could use");
    }
  }

  private static Optional<Duration> seconds(ConfigFile file, String key, int least)
      throws BadConfigException {
    return file.value(key, text -> number(text, least)).map(Duration::ofSeconds);
  }

  private static int number(String text, int least) {
    int number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
    if (number < least || number > LONGEST_SECONDS) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a number from " + least + " to " + LONGEST_SECONDS);
    }
    return number;
  }

  private static boolean yesOrNo(String text) {
    return switch (text) {
      case "yes", "true" -> true;
      case "no", "false" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' is neither yes nor no");
    };
  }

  private static String word(String text) {
    if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
      throw new IllegalArgumentException("'" + text + "' is not a name");
    }
    return text;
  }

  private static Path path(String text) {
    Path path = Path.of(text);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("'" + text + "' is not an absolute path");
    }
    return path;
  }
}
