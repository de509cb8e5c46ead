package dev.rollcall.wire.tls;

import io.netty.handler.ssl.OpenSsl;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.TCPSSLOptions;
import java.util.Optional;

/** Who does the arithmetic of a server's TLS. Certificates and trust are the same with either. */
public enum TlsEngine {
  /** The JDK's. */
  JDK,

  /**
   * BoringSSL, as netty-tcnative brings it: less processor time for a message. It gives no keying
   * material (RFC 5705), so munge cannot be bound to its connections.
   */
  NATIVE;

  /** Why this engine cannot be used on this machine, if so. */
  public Optional<String> missing() {
    if (this == JDK || OpenSsl.isAvailable()) {
      return Optional.empty();
    }
    Throwable cause = OpenSsl.unavailabilityCause();
    return Optional.of(String.valueOf(cause == null ? null : cause.getMessage()));
  }

  void applyTo(TCPSSLOptions options) {
    missing()
        .ifPresent(why -> {
          throw new IllegalArgumentException(
              "the native TLS engine cannot be used on this machine: " + why);
        });
    // Tickets would let a client return without its certificate being looked at.
    options.setSslEngineOptions(
        this == JDK
            ? new JdkSSLEngineOptions()
            : new OpenSSLEngineOptions().setSessionCacheEnabled(false));
  }
}
