package dev.rollcall.authority;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;

/** An issued certificate and its status. */
public record Issued(X509Certificate certificate, Names names, Optional<Instant> revokedAt) {
  /** Where it stands. */
  public enum State {
    VALID,
    EXPIRED,
    REVOKED
  }

  /** What a file holds. Whether it was revoked is not in it, so it is as one that was not. */
  public static Issued in(Path file) throws IOException, AuthorityException {
    X509Certificate certificate = read(file);
    return new Issued(certificate, names(certificate, file), Optional.empty());
  }

  /** The name of the authority that signed it. */
  public String issuer() {
    return certificate.getIssuerX500Principal().getName();
  }

  /** In hex, as it is called by. */
  public String serial() {
    return certificate.getSerialNumber().toString(16);
  }

  /** Whether it is for this key. */
  public boolean isFor(PublicKey key) {
    return Arrays.equals(certificate.getPublicKey().getEncoded(), key.getEncoded());
  }

  /** Its end. */
  public Instant expires() {
    return certificate.getNotAfter().toInstant();
  }

  /** A certificate that is revoked stays so beyond its end. */
  public State state(Instant now) {
    if (revokedAt.isPresent()) {
      return State.REVOKED;
    }
    return now.isAfter(expires()) ? State.EXPIRED : State.VALID;
  }

  public byte[] pem() {
    return pem(certificate);
  }

  static byte[] pem(X509Certificate certificate) {
    try {
      return Pem.text("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("only new certificates can be written", e);
    }
  }

  /** The first certificate of a PEM file. */
  static X509Certificate read(Path file) throws IOException, AuthorityException {
    List<X509Certificate> all = readAll(file);
    if (all.isEmpty()) {
      throw new AuthorityException(file + " holds no certificate in PEM or DER");
    }
    return all.getFirst();
  }

  static List<X509Certificate> readAll(Path file) throws IOException, AuthorityException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
          .map(X509Certificate.class::cast)
          .toList();
    } catch (CertificateException e) {
      throw new AuthorityException(
          file + " holds no certificate in PEM or DER: " + e.getMessage(), e);
    }
  }

  /**
   * What a certificate of this kind says of its holder.
   *
   * @param file for messages
   */
  static Names names(X509Certificate certificate, Path file) throws AuthorityException {
    try {
      var holder = new JcaX509CertificateHolder(certificate);
      GeneralNames names =
          GeneralNames.fromExtensions(holder.getExtensions(), Extension.subjectAlternativeName);
      if (names == null) {
        throw new IllegalArgumentException("it has no alternative names, so no role");
      }
      return Names.of(holder.getSubject(), names);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new AuthorityException(file + ": " + e.getMessage(), e);
    }
  }
}
