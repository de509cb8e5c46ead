package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.TestGateways.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that name another host, or two, at every kind of path. */
@Timeout(60)
class HostHeaderTest {
  private static TestGateways gateways;

  @BeforeAll
  static void start() throws Exception {
    gateways = new TestGateways(World.MEMORY, 1);
  }

  @AfterAll
  static void stop() {
    gateways.close();
  }

  private static String get(String path, String headers) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateways.gateway(0).port())) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/console/", "/console/js/main.js", "/openapi.json", "/v1/nodes"})
  void twoHostsAreABadRequest(String path) throws IOException {
    String answer = get(path, "Host: localhost\r\nHost: localhost\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/openapi.json", "/v1/nodes", "/nothing"})
  void aNameThatWasMadeToLeadToLoopbackIsRefused(String path) throws IOException {
    String answer = get(path, "Host: evil.example:17550\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
    assertTrue(answer.contains("host 'evil.example' is not loopback"), answer);
  }
}
