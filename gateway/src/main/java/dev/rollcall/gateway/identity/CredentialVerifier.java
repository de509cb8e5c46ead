package dev.rollcall.gateway.identity;

import java.util.concurrent.CompletableFuture;

/** Authenticates a client that has no certificate. */
public interface CredentialVerifier {
  /**
   * Known, or Refused with what is wrong; fails with a status when nobody can say.
   *
   * @param credential as the client sent it
   */
  CompletableFuture<AuthenticationResult> of(Identity.Stranger stranger, String credential);
}
