package dev.rollcall.wire.metrics;

import dev.rollcall.wire.tls.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The JDK's client, which holds a server's certificate to its name and what it is for. */
record Browser(SSLContext tls) {
  private static final char[] NO_PASSWORD = {};

  /**
   * @param own what it shows; absent: no certificate
   */
  static Browser trusting(Path ca, Optional<TlsFiles> own)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = empty();
    trusted.setCertificateEntry("ca", certificates(ca).getFirst());
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(own.isEmpty() ? null : keys(own.get()), trust.getTrustManagers(), null);
    return new Browser(context);
  }

  private static KeyManager[] keys(TlsFiles files) throws GeneralSecurityException, IOException {
    KeyStore own = empty();
    own.setKeyEntry(
        "own",
        key(files.key()),
        NO_PASSWORD,
        certificates(files.certificate()).toArray(Certificate[]::new));
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, NO_PASSWORD);
    return keys.getKeyManagers();
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static List<? extends Certificate> certificates(Path file)
      throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
    }
  }

  private static PrivateKey key(Path file) throws GeneralSecurityException, IOException {
    String base64 = Files.readString(file).replaceAll("-----.*-----", "").replaceAll("\\s", "");
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
  }

  HttpResponse<String> get(int port, String path, String accept)
      throws IOException, InterruptedException {
    try (var client = HttpClient.newBuilder().sslContext(tls).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
              .header("accept", accept)
              .build(),
          BodyHandlers.ofString());
    }
  }
}
