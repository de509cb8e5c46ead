package dev.rollcall.wire.tls;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The paths of one side's TLS identity, as PEM files.
 *
 * @param ca the certificates that are trusted to have signed the other side's
 * @param certificate this side's, followed by any between it and the CA
 * @param key of the certificate: PKCS#8
 * @param crl lists of revoked certificates, each signed by one in {@code ca}; empty: none is
 */
public record TlsFiles(Path ca, Path certificate, Path key, Optional<Path> crl) {
  public TlsFiles {
    requireNonNull(ca, "ca");
    requireNonNull(certificate, "certificate");
    requireNonNull(key, "key");
  }

  /** Without a list. */
  public TlsFiles(Path ca, Path certificate, Path key) {
    this(ca, certificate, key, Optional.empty());
  }

  /**
   * The identity as the files are now, for clients that accept gateways of any cluster.
   *
   * @throws IllegalArgumentException naming the file and what is wrong with it
   */
  public TlsIdentity identity() {
    return TlsIdentity.of(this, Optional.empty());
  }

  /** The same for clients that accept only gateways of this cluster. */
  public TlsIdentity identity(String cluster) {
    return TlsIdentity.of(this, Optional.of(cluster));
  }
}
