package dev.rollcall.wire.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts whom the set in force trusts: the CA and the host name as the JDK checks them, then the
 * list of what was revoked, and of a server the role.
 */
final class RenewedTrust extends X509ExtendedTrustManager {
  private final Supplier<X509ExtendedTrustManager> trust;
  private final Supplier<Revoked> revoked;
  private final Optional<String> cluster;

  /**
   * @param cluster of which servers must be, if that matters
   */
  RenewedTrust(
      Supplier<X509ExtendedTrustManager> trust,
      Supplier<Revoked> revoked,
      Optional<String> cluster) {
    this.trust = trust;
    this.revoked = revoked;
    this.cluster = cluster;
  }

  private X509ExtendedTrustManager trust() {
    return trust.get();
  }

  private void checkClient(X509Certificate[] chain) throws CertificateException {
    refuse(revoked.get().objection(List.of(chain)));
  }

  private void checkServer(X509Certificate[] chain) throws CertificateException {
    refuse(revoked.get().objection(List.of(chain)));
    refuse(ServerRole.objection(chain[0], cluster));
  }

  private static void refuse(Optional<String> objection) throws CertificateException {
    if (objection.isPresent()) {
      throw new CertificateException(objection.get());
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    trust().checkClientTrusted(chain, type, engine);
    checkClient(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    trust().checkServerTrusted(chain, type, engine);
    checkServer(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    trust().checkClientTrusted(chain, type, socket);
    checkClient(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    trust().checkServerTrusted(chain, type, socket);
    checkServer(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trust().checkClientTrusted(chain, type);
    checkClient(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trust().checkServerTrusted(chain, type);
    checkServer(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust().getAcceptedIssuers();
  }
}
