package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TCPSSLOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Where one side's identity is kept, as PEM files.
 *
 * @param ca the certificates that are trusted to have signed the other side's
 * @param certificate this side's, followed by any between it and the CA
 * @param key of the certificate: PKCS#8
 */
public record TlsFiles(Path ca, Path certificate, Path key) {
  public TlsFiles {
    requireNonNull(ca, "ca");
    requireNonNull(certificate, "certificate");
    requireNonNull(key, "key");
  }

  /** Both sides show a certificate; nothing older than TLS 1.2 is spoken. */
  void applyTo(TCPSSLOptions options) {
    for (Path file : new Path[] {ca, certificate, key}) {
      if (!Files.isReadable(file)) {
        throw new IllegalArgumentException("cannot read TLS file " + file);
      }
    }
    options
        .setSsl(true)
        .setUseAlpn(true)
        .setEnabledSecureTransportProtocols(Set.of("TLSv1.3", "TLSv1.2"))
        .setTrustOptions(new PemTrustOptions().addCertPath(ca.toString()))
        .setKeyCertOptions(
            new PemKeyCertOptions().setCertPath(certificate.toString()).setKeyPath(key.toString()));
  }
}
