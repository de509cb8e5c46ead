package dev.rollcall.wire.tls;

import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Checks certificates against the revocation lists. An expired list stays in force: a missing
 * update must not refuse every certificate and stop a cluster.
 */
record Revoked(List<X509CRL> lists) {
  Revoked {
    lists = List.copyOf(lists);
  }

  /** Why a chain is not to be trusted, if it is not. */
  Optional<String> objection(List<X509Certificate> chain) {
    for (X509Certificate certificate : chain) {
      for (X509CRL list : lists) {
        X509CRLEntry entry = list.getRevokedCertificate(certificate);
        if (entry != null) {
          return Optional.of(
              "certificate %s of '%s' was revoked at %s"
                  .formatted(
                      certificate.getSerialNumber().toString(16),
                      certificate.getSubjectX500Principal().getName(),
                      entry.getRevocationDate().toInstant()));
        }
      }
    }
    return Optional.empty();
  }
}
