package dev.rollcall.gateway.identity;

import dev.rollcall.model.Endpoint;
import java.util.Map;
import java.util.Set;

/**
 * Maps common names to roles, for sites whose authority writes no role into certificates. All
 * others without a role are nodes.
 *
 * @param administrators common names
 * @param services common names, and where each is reached
 */
public record NamedCertificates(Set<String> administrators, Map<String, Set<Endpoint>> services) {
  public static final NamedCertificates NONE = new NamedCertificates(Set.of(), Map.of());

  public NamedCertificates {
    administrators = Set.copyOf(administrators);
    services = Map.copyOf(services);
  }
}
