package dev.rollcall.gateway;

import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.model.Endpoint;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import dev.rollcall.settings.Hostlist;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the keys of {@code gateway.yaml} that are about trust. */
final class TrustConfigReader {
  private TrustConfigReader() {}

  static TrustConfig read(ConfigFile file) throws BadConfigException {
    return new TrustConfig(
        named(file),
        file.values("login_nodes", text -> Hostlist.parse(text).toString()).orElse(List.of()));
  }

  private static NamedCertificates named(ConfigFile file) throws BadConfigException {
    Set<String> administrators =
        new HashSet<>(file.values("administrators", TrustConfigReader::name).orElse(List.of()));
    Map<String, Set<Endpoint>> services = new HashMap<>();
    file.lists("services", Endpoint::parse)
        .forEach((name, endpoints) -> services.put(name, Set.copyOf(endpoints)));
    for (String name : services.keySet()) {
      if (administrators.contains(name)) {
        throw new BadConfigException(
            "services: '" + name + "' is among the administrators as well");
      }
    }
    return new NamedCertificates(administrators, services);
  }

  private static String name(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("'" + text + "' is not a name");
    }
    return text;
  }
}
