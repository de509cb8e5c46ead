package dev.rollcall.wire.tls;

import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * What the lists in force say. A list whose time is over still holds: refusing everybody because
 * nobody brought a new one would take a cluster down.
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
