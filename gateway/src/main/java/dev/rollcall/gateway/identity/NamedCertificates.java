package dev.rollcall.gateway.identity;

import dev.rollcall.model.Endpoint;
import dev.rollcall.settings.Hostlist;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Maps common names to roles, for sites whose authority writes no role into certificates. All
 * others without a role are nodes.
 *
 * @param administrators common names
 * @param services common names, and where each is reached
 * @param loginNodes host lists of the nodes that are login nodes
 */
public record NamedCertificates(
    Set<String> administrators, Map<String, Set<Endpoint>> services, List<String> loginNodes) {
  public static final NamedCertificates NONE = new NamedCertificates(Set.of(), Map.of(), List.of());

  public NamedCertificates {
    administrators = Set.copyOf(administrators);
    services = Map.copyOf(services);
    loginNodes = List.copyOf(loginNodes);
  }

  boolean isLoginNode(String node) {
    return loginNodes.stream().anyMatch(list -> Hostlist.parse(list).contains(node));
  }
}
