package dev.rollcall.wire.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Shows the certificate that is in force when a handshake begins. */
final class RenewedKeys extends X509ExtendedKeyManager {
  private final TlsIdentity identity;

  RenewedKeys(TlsIdentity identity) {
    this.identity = identity;
  }

  private X509ExtendedKeyManager keys() {
    return identity.current().keys();
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return keys().chooseEngineClientAlias(types, issuers, engine);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return keys().chooseEngineServerAlias(type, issuers, engine);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return keys().chooseClientAlias(types, issuers, socket);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return keys().chooseServerAlias(type, issuers, socket);
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return keys().getClientAliases(type, issuers);
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return keys().getServerAliases(type, issuers);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return identity.named(alias).map(set -> set.keys().getCertificateChain(alias)).orElse(null);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return identity.named(alias).map(set -> set.keys().getPrivateKey(alias)).orElse(null);
  }
}
