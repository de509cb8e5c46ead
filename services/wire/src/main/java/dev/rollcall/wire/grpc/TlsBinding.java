package dev.rollcall.wire.grpc;

import java.util.HexFormat;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * Reads keying material that only the two ends of one TLS connection have (RFC 5705, RFC 8446
 * section 7.5). A proof that is bound to it is invalid on other connections.
 */
final class TlsBinding {
  private static final String LABEL = "EXPORTER-rollcall-munge";
  private static final int BYTES = 32;

  private TlsBinding() {}

  /** In hex; absent if this session cannot export any. */
  static Optional<String> of(SSLSession session) {
    if (!(session instanceof ExtendedSSLSession extended)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          HexFormat.of().formatHex(extended.exportKeyingMaterialData(LABEL, new byte[0], BYTES)));
    } catch (SSLException | IllegalStateException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }
}
