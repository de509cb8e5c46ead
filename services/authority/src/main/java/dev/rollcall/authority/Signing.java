package dev.rollcall.authority;

import dev.rollcall.model.RoleUri.Role;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes certificates, as RFC 5280 wants them. */
final class Signing {
  static final String ALGORITHM = "SHA256withECDSA";

  /** Clocks of a cluster may differ: what was issued now holds on the slowest as well. */
  private static final Duration SKEW = Duration.ofHours(1);

  private static final int SERIAL_BITS = 127;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Signing() {}

  static X509Certificate root(KeyPair keys, X500Name name, Instant now, Duration life)
      throws IOException, GeneralSecurityException {
    var builder =
        new JcaX509v3CertificateBuilder(
            name, serial(), from(now), Date.from(seconds(now.plus(life))), name, keys.getPublic());
    // It signs what agents and gateways show, and no other authorities.
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
    builder.addExtension(
        Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
    return signed(builder, keys.getPrivate());
  }

  /**
   * @param until cut to the end of the authority's own
   */
  static X509Certificate leaf(
      X509Certificate authority,
      PrivateKey by,
      PublicKey key,
      Names names,
      Instant now,
      Instant until)
      throws IOException, GeneralSecurityException {
    Instant end = authority.getNotAfter().toInstant();
    var extensions = new JcaX509ExtensionUtils();
    var builder =
        new JcaX509v3CertificateBuilder(
            X500Name.getInstance(authority.getSubjectX500Principal().getEncoded()),
            serial(),
            from(now),
            Date.from(seconds(until.isAfter(end) ? end : until)),
            names.subject(),
            key);
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
    builder.addExtension(Extension.extendedKeyUsage, false, usage(names.role()));
    builder.addExtension(Extension.subjectAlternativeName, false, names.alternatives());
    builder.addExtension(
        Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(key));
    builder.addExtension(
        Extension.authorityKeyIdentifier,
        false,
        extensions.createAuthorityKeyIdentifier(authority.getPublicKey()));
    return signed(builder, by);
  }

  private static ExtendedKeyUsage usage(Role role) {
    return switch (role) {
      // A gateway is called by agents; other gateways and the command it may call itself. A node
      // is called by who reads its metrics; that it is no gateway, its role says.
      case GATEWAY, NODE, LOGIN ->
          new ExtendedKeyUsage(
              new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth});
      case SERVICE, ADMINISTRATOR, MONITOR -> new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth);
    };
  }

  private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(builder.build(new JcaContentSignerBuilder(ALGORITHM).build(key)));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static Date from(Instant now) {
    return Date.from(seconds(now.minus(SKEW)));
  }

  /** A certificate knows no fractions of a second. */
  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** By chance alone: nobody needs to count, and nobody can tell how many there are. */
  private static BigInteger serial() {
    return new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1);
  }
}
