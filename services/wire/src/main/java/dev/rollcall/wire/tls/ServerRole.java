package dev.rollcall.wire.tls;

import dev.rollcall.model.RoleUri;
import dev.rollcall.model.RoleUri.Role;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Checks that a server's certificate is a gateway's. A certificate with roles may have no other
 * role. A certificate without roles, from a PKI that writes no URIs, is accepted by its host name
 * and key usage.
 */
final class ServerRole {
  /** RFC 5280 section 4.2.1.6. */
  private static final int URI = 6;

  private ServerRole() {}

  /**
   * @param cluster whose gateway it must be, if that matters
   */
  static Optional<String> objection(X509Certificate server, Optional<String> cluster) {
    try {
      Collection<List<?>> names = server.getSubjectAlternativeNames();
      for (List<?> name : names == null ? List.<List<?>>of() : names) {
        if ((Integer) name.get(0) == URI) {
          Optional<RoleUri> role = RoleUri.parse(String.valueOf(name.get(1)));
          if (role.isPresent() && !serves(role.get(), cluster)) {
            return Optional.of(
                "the server's certificate is for %s, and not for a gateway%s"
                    .formatted(role.get(), cluster.map(own -> " of cluster " + own).orElse("")));
          }
        }
      }
      return Optional.empty();
    } catch (CertificateParsingException | IllegalArgumentException e) {
      return Optional.of("the server's certificate: " + e.getMessage());
    }
  }

  private static boolean serves(RoleUri role, Optional<String> cluster) {
    return role.role() == Role.GATEWAY
        && (cluster.isEmpty() || cluster.get().equals(role.cluster()));
  }
}
