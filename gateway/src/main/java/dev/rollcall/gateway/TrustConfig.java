package dev.rollcall.gateway;

import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.settings.Hostlist;
import java.util.List;

/**
 * Who is who to a gateway: the part of {@code gateway.yaml} about trust.
 *
 * @param named certificates without a role
 * @param loginNodes nodes whose root is believed about which user asks there; host lists
 */
record TrustConfig(NamedCertificates named, List<String> loginNodes) {
  static final TrustConfig DEFAULTS = new TrustConfig(NamedCertificates.NONE, List.of());

  TrustConfig {
    loginNodes = List.copyOf(loginNodes);
  }

  boolean isLoginNode(String node) {
    return loginNodes.stream().anyMatch(list -> Hostlist.parse(list).contains(node));
  }
}
