package dev.rollcall.gateway;

import dev.rollcall.gateway.identity.NamedCertificates;

/**
 * Who is who to a gateway: the part of {@code gateway.yaml} about trust.
 *
 * @param named certificates without a role
 */
record TrustConfig(NamedCertificates named) {
  static final TrustConfig DEFAULTS = new TrustConfig(NamedCertificates.NONE);
}
