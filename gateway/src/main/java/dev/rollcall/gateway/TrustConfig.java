package dev.rollcall.gateway;

import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.gateway.identity.NodeFile;
import dev.rollcall.gateway.identity.TokenKeys;
import dev.rollcall.gateway.limit.Rates;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Prefix;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.Hostlist;
import dev.rollcall.settings.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds the keys of {@code gateway.yaml} that decide the identity of clients.
 *
 * @param named certificates without a role
 * @param administrators uids that munge proves
 * @param nodeFile addresses of nodes, beside those of their certificates
 * @param nodeNetworks in which nodes' own reports of their addresses are accepted
 * @param munge the socket of munged; absent: every client has a certificate
 * @param tokenLife for how long a token is good at most
 * @param tokens absent: the gateway neither issues nor accepts any
 * @param rates how often each may ask
 */
record TrustConfig(
    NamedCertificates named,
    Set<Integer> administrators,
    Optional<NodeFile> nodeFile,
    List<Prefix> nodeNetworks,
    Optional<Path> munge,
    Duration tokenLife,
    Optional<TokenKeys> tokens,
    Rates rates) {
  private static final int MOST_CALLS = 1_000_000;
  private static final int USUAL_HOURS = 12;

  /** A week: nothing can take a token back. */
  private static final int MOST_HOURS = 168;

  private static final Kind<Integer> RATE = Kind.number(1, MOST_CALLS);
  private static final Kind<Integer> HOURS = Kind.number(1, MOST_HOURS);
  private static final Kind<TokenKeys> TOKEN_KEYS =
      Kind.of("an absolute path", text -> TokenKeys.read(Kind.path().apply(text)));
  private static final Kind<Endpoint> ENDPOINT = Kind.of("address:port", Endpoint::parse);
  private static final Kind<String> ADMINISTRATOR =
      Kind.of("a common name, or a uid", TrustConfig::name);
  private static final Kind<String> NODES =
      Kind.of("a host list", text -> Hostlist.parse(text).toString());
  private static final Kind<Prefix> PREFIX = Kind.of("address/bits", Prefix::parse);
  private static final Kind<NodeFile> NODE_FILE =
      Kind.of("an absolute path", text -> NodeFile.read(Kind.path().apply(text)));

  TrustConfig {
    administrators = Set.copyOf(administrators);
    nodeNetworks = List.copyOf(nodeNetworks);
  }

  /** Whether a client may come without a certificate, to prove itself otherwise. */
  boolean takesStrangers() {
    return munge.isPresent() || tokens.isPresent();
  }

  static TrustConfig read(ConfigFile file) throws BadConfigException {
    List<String> administrators = file.values("administrators", ADMINISTRATOR, List.of());
    return new TrustConfig(
        named(file, administrators.stream().filter(name -> !isUid(name)).toList()),
        uids(administrators),
        file.value("node_file", NODE_FILE),
        file.values("node_networks", PREFIX, List.of()),
        file.value("munge", Kind.path()),
        Duration.ofHours(file.value("token_hours", HOURS, USUAL_HOURS)),
        file.value("tokens", TOKEN_KEYS),
        new Rates(
            file.value("user_calls_per_second", RATE, Rates.DEFAULTS.user()),
            file.value("node_calls_per_second", RATE, Rates.DEFAULTS.node()),
            file.value("service_calls_per_second", RATE, Rates.DEFAULTS.service())));
  }

  private static boolean isUid(String name) {
    return name.matches("[0-9]+");
  }

  private static Set<Integer> uids(List<String> administrators) {
    return administrators.stream()
        .filter(TrustConfig::isUid)
        .map(Integer::parseUnsignedInt)
        .collect(Collectors.toSet());
  }

  private static NamedCertificates named(ConfigFile file, List<String> administrators)
      throws BadConfigException {
    Map<String, Set<Endpoint>> services = new HashMap<>();
    file.lists("services", ENDPOINT)
        .forEach((name, endpoints) -> services.put(name, Set.copyOf(endpoints)));
    for (String name : services.keySet()) {
      if (administrators.contains(name)) {
        throw file.bad("services", "'" + name + "' is among the administrators as well");
      }
    }
    return new NamedCertificates(
        Set.copyOf(administrators), services, file.values("login_nodes", NODES, List.of()));
  }

  private static String name(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("'" + text + "' is not a name");
    }
    if (isUid(text)) {
      uid(text);
    }
    return text;
  }

  private static void uid(String text) {
    if (text.length() > 10 || Long.parseLong(text) > 0xffff_fffeL) {
      throw new IllegalArgumentException("'" + text + "' is not a uid");
    }
    if (Long.parseLong(text) == 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is root, which exists on every node: give administrators a certificate");
    }
  }
}
