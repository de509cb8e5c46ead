package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
  @ParameterizedTest
  @ValueSource(strings = {"10.77.0.1:22", "[fd77::1]:22", "127.0.0.1:0", "[::1]:65535"})
  void whatIsReadIsWrittenAlike(String text) {
    assertEquals(text, Endpoint.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":22",
        "10.0.0.1",
        "10.0.0.1:",
        "10.0.0.1:x",
        "10.0.0.1:65536",
        "10.0.0.1:-1",
        "fd77::1:22",
        "node1:22",
        "[10.0.0:22",
        "10.0.0.256:22"
      })
  void whatIsNotAnEndpointIsNamed(String text) {
    var refused = assertThrows(IllegalArgumentException.class, () -> Endpoint.parse(text));
    assertTrue(String.valueOf(refused.getMessage()).contains("'" + text + "'"), text);
  }

  @Test
  void aMappedAddressIsTheAddressItMaps() {
    byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 77, 0, 1};
    assertEquals(Endpoint.parse("10.77.0.1:22"), Endpoint.of(mapped, 22));
    assertEquals(Endpoint.parse("10.77.0.1:22"), Endpoint.parse("[::ffff:10.77.0.1]:22"));
  }

  @Test
  void aZoneIsDropped() throws Exception {
    byte[] local = {(byte) 0xfe, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    assertEquals(
        Endpoint.of(local, 22), new Endpoint(Inet6Address.getByAddress(null, local, 3), 22));
  }

  @Test
  void loopbackAndLinkLocalStayOnTheNode() {
    assertTrue(Endpoint.parse("127.9.9.9:1").staysOnNode());
    assertTrue(Endpoint.parse("[::1]:1").staysOnNode());
    assertTrue(Endpoint.parse("[fe80::1]:1").staysOnNode());
    assertTrue(Endpoint.parse("169.254.0.1:1").staysOnNode());
    assertFalse(Endpoint.parse("10.77.0.1:1").staysOnNode());
  }

  @Test
  void theOtherEndSeesTheConnectionFlipped() {
    Connection here =
        Connection.tcp(Endpoint.parse("10.0.0.1:4000"), Endpoint.parse("10.0.0.2:22"));
    Connection there =
        Connection.tcp(Endpoint.parse("10.0.0.2:22"), Endpoint.parse("10.0.0.1:4000"));
    assertEquals(there, here.flipped());
    assertEquals(here, here.flipped().flipped());
  }

  @Test
  void endsOfTwoFamiliesAreNoConnection() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Connection.tcp(Endpoint.parse("10.0.0.1:1"), Endpoint.parse("[::1]:2")));
  }

  @Test
  void anEpochReplacesAnEarlierOneAndAnotherBoot() {
    var node = new NodeName("node1");
    var first = new NodeEpoch(node, "boot-a", 5);
    assertTrue(new NodeEpoch(node, "boot-a", 6).replaces(first));
    assertFalse(new NodeEpoch(node, "boot-a", 5).replaces(first));
    assertFalse(new NodeEpoch(node, "boot-a", 4).replaces(first));
    assertTrue(new NodeEpoch(node, "boot-b", 1).replaces(first));
  }
}
