package dev.rollcall.gateway;

import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.gateway.identity.NodeFile;
import dev.rollcall.gateway.limit.Rates;
import dev.rollcall.settings.Hostlist;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the keys of {@code gateway.yaml} that decide the identity of clients.
 *
 * @param named certificates without a role
 * @param administrators uids that munge proves
 * @param loginNodes host lists of nodes whose root may name the user that asks
 * @param nodeFile addresses of nodes, beside those of their certificates
 * @param munge the socket of munged; absent: every client has a certificate
 * @param tokens absent: the gateway neither issues nor accepts tokens
 * @param rates how often each may ask
 */
record TrustConfig(
    NamedCertificates named,
    Set<Integer> administrators,
    List<String> loginNodes,
    Optional<NodeFile> nodeFile,
    Optional<Path> munge,
    Optional<TokenConfig> tokens,
    Rates rates) {
  static final TrustConfig DEFAULTS =
      new TrustConfig(
          NamedCertificates.NONE,
          Set.of(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Rates.DEFAULTS);

  TrustConfig {
    administrators = Set.copyOf(administrators);
    loginNodes = List.copyOf(loginNodes);
  }

  /** Whether a client may come without a certificate, to prove itself otherwise. */
  boolean takesStrangers() {
    return munge.isPresent() || tokens.isPresent();
  }

  boolean isLoginNode(String node) {
    return loginNodes.stream().anyMatch(list -> Hostlist.parse(list).contains(node));
  }
}
