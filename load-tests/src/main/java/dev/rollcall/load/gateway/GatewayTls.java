package dev.rollcall.load.gateway;

import dev.rollcall.wire.tls.TlsEngine;
import dev.rollcall.wire.tls.TlsFiles;
import java.util.Locale;

/** What a gateway shows, and who does its arithmetic. */
public record GatewayTls(TlsFiles files, TlsEngine engine) {
  /** Its section of {@code gateway.yaml}. */
  String yaml() {
    return """
    tls:
      ca: "%s"
      certificate: "%s"
      key: "%s"
      engine: %s
    """
        .formatted(
            files.ca(), files.certificate(), files.key(), engine.name().toLowerCase(Locale.ROOT));
  }
}
