package dev.rollcall.cli.doctor;

import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Reads an agent's answer at {@code /health/ready}, whether it is ready or not. */
final class ReadyPage {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final String PATH = "/health/ready";
  private static final int SERVER_ERROR = 500;

  private ReadyPage() {}

  /**
   * @param ca who signed the agent's certificate, if it has one
   */
  static String of(MetricsPlace place, Optional<Path> ca)
      throws IOException, GeneralSecurityException {
    return switch (place) {
      case MetricsPlace.Socket(Path path) -> bySocket(path);
      case MetricsPlace.Port(HostPort at) when at.loopback() -> said(ask("http", at));
      case MetricsPlace.Port(HostPort at) ->
          byTls(
              at,
              ca.orElseThrow(() -> new IOException("the page needs TLS, and agent.yaml has none")));
    };
  }

  /**
   * Whom the authority has signed is believed, whatever the name: the address is this node's own,
   * and may be one for all of its networks. Nothing is shown, as probes show nothing.
   */
  private static String byTls(HostPort at, Path ca) throws IOException, GeneralSecurityException {
    var asked = (HttpsURLConnection) ask("https", at);
    asked.setSSLSocketFactory(trusting(ca).getSocketFactory());
    asked.setHostnameVerifier((_, _) -> true);
    return said(asked);
  }

  private static SSLContext trusting(Path ca) throws IOException, GeneralSecurityException {
    KeyStore known = KeyStore.getInstance(KeyStore.getDefaultType());
    known.load(null, null);
    try (InputStream in = Files.newInputStream(ca)) {
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        known.setCertificateEntry("ca-" + number++, each);
      }
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(known);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static HttpURLConnection ask(String scheme, HostPort at) throws IOException {
    return (HttpURLConnection) URI.create(scheme + "://" + at + PATH).toURL().openConnection();
  }

  private static String said(HttpURLConnection asked) throws IOException {
    asked.setConnectTimeout((int) PATIENCE.toMillis());
    asked.setReadTimeout((int) PATIENCE.toMillis());
    boolean refused = asked.getResponseCode() >= SERVER_ERROR;
    try (InputStream body = refused ? asked.getErrorStream() : asked.getInputStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * HTTP/1.0, so that the answer ends with the connection: the JDK's client knows no such socket.
   */
  private static String bySocket(Path path) throws IOException {
    try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      var said = new CompletableFuture<String>();
      Thread.ofVirtual().start(() -> ask(channel, said));
      String answer = said.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      int body = answer.indexOf("\r\n\r\n");
      if (body < 0) {
        throw new IOException("its answer is not HTTP");
      }
      return answer.substring(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + PATIENCE.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    }
  }

  private static void ask(SocketChannel channel, CompletableFuture<String> said) {
    try {
      String request = "GET " + PATH + " HTTP/1.0\r\nHost: localhost\r\n\r\n";
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
      byte[] answer = Channels.newInputStream(channel).readAllBytes();
      said.complete(new String(answer, StandardCharsets.UTF_8));
    } catch (IOException e) {
      said.completeExceptionally(e);
    }
  }
}
