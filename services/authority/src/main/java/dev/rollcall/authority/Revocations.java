package dev.rollcall.authority;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CRLException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CRLHolder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The list of what was revoked. It says that it holds until the authority's own end: a list that
 * nobody renewed must not lock a cluster out.
 */
final class Revocations {
  private final X509Certificate authority;
  private final PrivateKey key;
  private final Path file;

  Revocations(X509Certificate authority, PrivateKey key, Path file) {
    this.authority = authority;
    this.key = key;
    this.file = file;
  }

  /** The first list, in which there is none. */
  WholeFile.Part first(Instant now) throws IOException, GeneralSecurityException {
    byte[] none = pem(signed(builder(now, BigInteger.ONE)));
    return new WholeFile.Part(file, none, WholeFile.PUBLIC);
  }

  X509CRL read() throws IOException, AuthorityException {
    try (InputStream in = Files.newInputStream(file)) {
      var list = (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(in);
      list.verify(authority.getPublicKey());
      return list;
    } catch (GeneralSecurityException e) {
      throw new AuthorityException(
          file + " is not a revocation list of this authority: " + e.getMessage(), e);
    }
  }

  static Optional<Instant> of(X509CRL list, X509Certificate certificate) {
    X509CRLEntry entry = list.getRevokedCertificate(certificate.getSerialNumber());
    return Optional.ofNullable(entry).map(found -> found.getRevocationDate().toInstant());
  }

  void add(BigInteger serial, Instant now)
      throws IOException, AuthorityException, GeneralSecurityException {
    X509CRL before = read();
    JcaX509v2CRLBuilder builder = builder(now, number(before).add(BigInteger.ONE));
    builder.addCRL(new JcaX509CRLHolder(before));
    builder.addCRLEntry(serial, Date.from(now), CRLReason.unspecified);
    WholeFile.replace(file, pem(signed(builder)), WholeFile.PUBLIC);
  }

  private static BigInteger number(X509CRL list) {
    byte[] extension = list.getExtensionValue(Extension.cRLNumber.getId());
    return extension == null
        ? BigInteger.ZERO
        : ASN1Integer.getInstance(ASN1OctetString.getInstance(extension).getOctets())
            .getPositiveValue();
  }

  private JcaX509v2CRLBuilder builder(Instant now, BigInteger number)
      throws IOException, GeneralSecurityException {
    var builder = new JcaX509v2CRLBuilder(authority.getSubjectX500Principal(), Date.from(now));
    builder.setNextUpdate(authority.getNotAfter());
    builder.addExtension(Extension.cRLNumber, false, new ASN1Integer(number));
    builder.addExtension(
        Extension.authorityKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(authority.getPublicKey()));
    return builder;
  }

  private X509CRL signed(JcaX509v2CRLBuilder builder) throws GeneralSecurityException {
    try {
      return new JcaX509CRLConverter()
          .getCRL(builder.build(new JcaContentSignerBuilder(Signing.ALGORITHM).build(key)));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static byte[] pem(X509CRL list) throws CRLException {
    return Pem.text("X509 CRL", list.getEncoded());
  }
}
