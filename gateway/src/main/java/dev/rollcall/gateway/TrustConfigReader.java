package dev.rollcall.gateway;

import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.gateway.identity.NodeFile;
import dev.rollcall.gateway.limit.Rates;
import dev.rollcall.model.Endpoint;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.Hostlist;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the keys of {@code gateway.yaml} that are about trust. */
final class TrustConfigReader {
  private static final int MOST_CALLS = 1_000_000;

  private TrustConfigReader() {}

  static TrustConfig read(ConfigFile file) throws BadConfigException {
    List<String> administrators =
        file.values("administrators", TrustConfigReader::name).orElse(List.of());
    return new TrustConfig(
        named(file, administrators.stream().filter(name -> !isUid(name)).toList()),
        uids(administrators),
        file.values("login_nodes", text -> Hostlist.parse(text).toString()).orElse(List.of()),
        file.value("node_file", text -> NodeFile.read(path(text))),
        file.value("munge", TrustConfigReader::path),
        new Rates(
            file.value("user_calls_per_second", TrustConfigReader::rate)
                .orElse(Rates.DEFAULTS.user()),
            file.value("node_calls_per_second", TrustConfigReader::rate)
                .orElse(Rates.DEFAULTS.node()),
            file.value("service_calls_per_second", TrustConfigReader::rate)
                .orElse(Rates.DEFAULTS.service())));
  }

  private static boolean isUid(String name) {
    return name.matches("[0-9]+");
  }

  private static Set<Integer> uids(List<String> administrators) {
    return administrators.stream()
        .filter(TrustConfigReader::isUid)
        .map(Integer::parseUnsignedInt)
        .collect(Collectors.toSet());
  }

  private static NamedCertificates named(ConfigFile file, List<String> administrators)
      throws BadConfigException {
    Map<String, Set<Endpoint>> services = new HashMap<>();
    file.lists("services", Endpoint::parse)
        .forEach((name, endpoints) -> services.put(name, Set.copyOf(endpoints)));
    for (String name : services.keySet()) {
      if (administrators.contains(name)) {
        throw new BadConfigException(
            "services: '" + name + "' is among the administrators as well");
      }
    }
    return new NamedCertificates(Set.copyOf(administrators), services);
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
          "'" + text + "' is root, whom every node has: give an administrator a certificate");
    }
  }

  private static int rate(String text) {
    int number = text.matches("[0-9]{1,7}") ? Integer.parseInt(text) : 0;
    if (number < 1 || number > MOST_CALLS) {
      throw new IllegalArgumentException("'" + text + "' is not a number from 1 to " + MOST_CALLS);
    }
    return number;
  }

  private static Path path(String text) {
    Path path = Path.of(text);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("'" + text + "' is not an absolute path");
    }
    return path;
  }
}
