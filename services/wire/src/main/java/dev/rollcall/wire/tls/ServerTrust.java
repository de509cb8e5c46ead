package dev.rollcall.wire.tls;

import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.X509ExtendedTrustManager;

/** The certificates that a client without its own certificate accepts from a gateway. */
public final class ServerTrust {
  private ServerTrust() {}

  /**
   * Read once.
   *
   * @param ca who may have signed the server's certificate
   * @throws IllegalArgumentException naming the file and what is wrong with it
   */
  public static TrustOptions of(Path ca) {
    try {
      X509ExtendedTrustManager trust = TlsSet.trust(TlsSet.certificates(ca, TlsTexts.read(ca)));
      var revoked = new Revoked(List.of());
      return TrustOptions.wrap(
          new TrustManagerFactoryWrapper(
              new RenewedTrust(() -> trust, () -> revoked, Optional.empty())));
    } catch (TlsProblem | GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
