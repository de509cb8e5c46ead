package dev.rollcall.wire.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CRLException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Files that fit together: a key, its certificate, who is trusted, and what was revoked.
 *
 * @param alias of the key in {@code keys}; no other set has it
 * @param signedHere whether one of {@code ca} signed the certificate
 */
record TlsSet(
    TlsTexts texts,
    String alias,
    X509Certificate certificate,
    boolean signedHere,
    X509ExtendedKeyManager keys,
    X509ExtendedTrustManager trust,
    Revoked revoked) {
  private static final char[] IN_MEMORY = "in memory".toCharArray();

  static TlsSet of(TlsFiles files, TlsTexts texts, String alias) throws TlsProblem {
    List<X509Certificate> ca = certificates(files.ca(), texts.ca());
    List<X509Certificate> chain = certificates(files.certificate(), texts.certificate());
    try {
      PrivateKey key = key(files, texts, chain.getFirst());
      return new TlsSet(
          texts,
          alias,
          chain.getFirst(),
          ca.stream().anyMatch(root -> chain.stream().anyMatch(one -> signed(root, one))),
          keys(alias, key, chain),
          trust(ca),
          new Revoked(lists(files, texts, ca)));
    } catch (GeneralSecurityException | java.io.IOException e) {
      throw new TlsProblem("TLS files cannot be used: " + e, e);
    }
  }

  Instant begins() {
    return certificate.getNotBefore().toInstant();
  }

  Instant expires() {
    return certificate.getNotAfter().toInstant();
  }

  static List<X509Certificate> certificates(Path file, String pem) throws TlsProblem {
    List<X509Certificate> read;
    try {
      read =
          CertificateFactory.getInstance("X.509").generateCertificates(stream(pem)).stream()
              .map(X509Certificate.class::cast)
              .toList();
    } catch (CertificateException e) {
      throw new TlsProblem("TLS file " + file + " holds no certificate: " + e.getMessage(), e);
    }
    if (read.isEmpty()) {
      throw new TlsProblem("TLS file " + file + " holds no certificate");
    }
    return read;
  }

  private static ByteArrayInputStream stream(String pem) {
    return new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static PrivateKey key(TlsFiles files, TlsTexts texts, X509Certificate certificate)
      throws TlsProblem {
    try {
      return PemKey.read(texts.key(), certificate.getPublicKey());
    } catch (GeneralSecurityException e) {
      throw new TlsProblem(
          "TLS file %s does not match %s: %s"
              .formatted(files.key(), files.certificate(), e.getMessage()),
          e);
    }
  }

  private static boolean signed(X509Certificate root, X509Certificate certificate) {
    try {
      certificate.verify(root.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static X509ExtendedKeyManager keys(
      String alias, PrivateKey key, List<X509Certificate> chain)
      throws GeneralSecurityException, java.io.IOException {
    // PKCS12 would derive a key from the password twice, by 10,000 rounds of a hash each.
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    store.setKeyEntry(alias, key, IN_MEMORY, chain.toArray(Certificate[]::new));
    KeyManagerFactory factory = KeyManagerFactory.getInstance("SunX509");
    factory.init(store, IN_MEMORY);
    return (X509ExtendedKeyManager) factory.getKeyManagers()[0];
  }

  static X509ExtendedTrustManager trust(List<X509Certificate> ca)
      throws GeneralSecurityException, java.io.IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (int i = 0; i < ca.size(); i++) {
      store.setCertificateEntry("ca" + i, ca.get(i));
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager trust) {
        return trust;
      }
    }
    throw new GeneralSecurityException("this Java has no PKIX trust manager");
  }

  private static List<X509CRL> lists(TlsFiles files, TlsTexts texts, List<X509Certificate> ca)
      throws TlsProblem {
    if (files.crl().isEmpty()) {
      return List.of();
    }
    Path file = files.crl().get();
    try {
      List<X509CRL> lists =
          CertificateFactory.getInstance("X.509").generateCRLs(stream(texts.crl())).stream()
              .map(X509CRL.class::cast)
              .toList();
      if (lists.isEmpty()) {
        throw new TlsProblem("TLS file " + file + " holds no revocation list");
      }
      for (X509CRL list : lists) {
        if (ca.stream().noneMatch(root -> signed(root, list))) {
          throw new TlsProblem(
              "TLS file %s: the list of '%s' is not signed by an authority in %s"
                  .formatted(file, list.getIssuerX500Principal().getName(), files.ca()));
        }
      }
      return lists;
    } catch (CRLException | CertificateException e) {
      throw new TlsProblem("TLS file " + file + " holds no revocation list: " + e.getMessage(), e);
    }
  }

  private static boolean signed(X509Certificate root, X509CRL list) {
    try {
      list.verify(root.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
