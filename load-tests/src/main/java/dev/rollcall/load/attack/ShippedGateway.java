package dev.rollcall.load.attack;

import com.google.protobuf.Timestamp;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.gateway.ClusterCertificates;
import dev.rollcall.load.gateway.GatewayProcess;
import dev.rollcall.load.gateway.Gateways;
import dev.rollcall.load.gateway.Scratch;
import dev.rollcall.proto.roll.v1.TokenClaims;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A gateway of the distribution with TLS and tokens, and no nodes. */
final class ShippedGateway implements AttackTarget {
  private static final int FIRST_UID = 2001;
  private static final int USERS = 16;
  private static final int CONNECT_MS = 3_000;
  private static final int HANDSHAKE_MS = 10_000;
  private static final int LITTLE = 4_096;
  private static final int KEY_BYTES = 32;
  private static final long TOKEN_SECONDS = 12 * 3_600;

  private final Scratch scratch = Scratch.fresh("rollcall-attack-");
  private final Gateways gateways;
  private final SSLContext stranger;
  private final SSLContext node;
  private final SSLContext service;
  private final SSLContext administrator;
  private final List<String> tokens = new ArrayList<>();

  ShippedGateway(Path distribution) {
    var key = new byte[KEY_BYTES];
    new Random().nextBytes(key);
    try (var certificates = ClusterCertificates.in(scratch.path().resolve("pki"))) {
      Path keys = scratch.path().resolve("token.key");
      Files.writeString(keys, Base64.getEncoder().encodeToString(key) + "\n");
      Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
      stranger = ClientTls.anonymous();
      node = ClientTls.of(certificates.node("node1", "10.9.0.1"));
      administrator = ClientTls.of(certificates.administrator());
      service = ClientTls.of(certificates.service("licence", "10.9.0.2", 27_000));
      for (int i = 0; i < USERS; i++) {
        tokens.add(token(key, FIRST_UID + i));
      }
      gateways =
          Gateways.start(
              1,
              distribution,
              scratch.path(),
              Optional.of(certificates.gateway()),
              List.of("tokens: \"" + keys + "\""),
              "");
    } catch (IOException | GeneralSecurityException e) {
      scratch.close();
      throw new BenchFailedException("cannot start a gateway: " + e, e);
    } catch (RuntimeException e) {
      scratch.close();
      throw e;
    }
  }

  /** As a gateway signs one: docs/adr/0049. */
  private static String token(byte[] key, int uid) throws GeneralSecurityException {
    long now = System.currentTimeMillis() / 1_000;
    byte[] claims =
        TokenClaims.newBuilder()
            .setCluster(ClusterCertificates.CLUSTER)
            .setUid(uid)
            .setIssuedAt(Timestamp.newBuilder().setSeconds(now))
            .setExpiresAt(Timestamp.newBuilder().setSeconds(now + TOKEN_SECONDS))
            .build()
            .toByteArray();
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String signed = "rollcall1." + base64.encodeToString(claims);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII));
    return signed + "." + base64.encodeToString(signature);
  }

  private GatewayProcess gateway() {
    return gateways.get(0);
  }

  @Override
  public long pid() {
    return gateway().pid();
  }

  @Override
  public boolean isAlive() {
    return gateway().isAlive();
  }

  @Override
  public Wire connect(String protocol, String client, int number, int addresses)
      throws IOException {
    InetAddress from = Loopback.address(client.equals("node") ? 0 : number % addresses);
    SSLContext tls =
        switch (client) {
          case "node" -> node;
          case "service" -> service;
          default -> stranger;
        };
    return connect(tls, protocol, from, LITTLE);
  }

  private Wire connect(SSLContext tls, String protocol, InetAddress from, int receiveBuffer)
      throws IOException {
    var socket = new Socket();
    try {
      socket.setReceiveBufferSize(receiveBuffer);
      socket.setTcpNoDelay(true);
      socket.bind(new InetSocketAddress(from, 0));
      InetAddress here = InetAddress.getLoopbackAddress();
      socket.connect(new InetSocketAddress(here, gateway().port()), CONNECT_MS);
      if (protocol.equals("tls")) {
        return Wire.of(socket); // and no handshake
      }
      socket.setSoTimeout(HANDSHAKE_MS);
      var secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, "localhost", 0, false);
      var parameters = secure.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {protocol.equals("h2") ? "h2" : "http/1.1"});
      secure.setSSLParameters(parameters);
      secure.startHandshake();
      socket.setSoTimeout(0);
      return Wire.of(socket, secure);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public Optional<String> authorization(String client, int number) {
    return client.equals("user")
        ? Optional.of("Bearer " + tokens.get(number % USERS))
        : Optional.empty();
  }

  /** The administrator, whose address no attacker has. */
  @Override
  public void ask() throws IOException {
    try (Wire wire = connect(administrator, "http1", InetAddress.getLoopbackAddress(), 64 << 10)) {
      Http1Question.ask(wire, "/v1/nodes");
    }
  }

  @Override
  public String endOfLog() {
    return gateways.endOfLogs();
  }

  @Override
  public void close() {
    gateways.close();
    scratch.close();
  }
}
