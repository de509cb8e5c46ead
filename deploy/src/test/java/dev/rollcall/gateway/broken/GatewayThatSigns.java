package dev.rollcall.gateway.broken;

import org.bouncycastle.cert.X509CertificateHolder;

/** Breaks the rule about who makes certificates. */
public final class GatewayThatSigns {
  private GatewayThatSigns() {}

  /** An authority's work. */
  public static boolean signed(X509CertificateHolder certificate) {
    return certificate.getSignature().length > 0;
  }
}
