package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.MemberNetwork.Link;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.ConfigFile;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemberNetworkTest {
  private static final MemberNetwork TWO_CARDS =
      new MemberNetwork(
          List.of(
              link("lo", "127.0.0.1", 8),
              link("eth0", "10.20.0.11", 16),
              link("eth0", "10.30.0.11", 24),
              link("eth0", "fd20::11", 64),
              link("eth1", "10.21.0.11", 24),
              link("eth1", "fd21::11", 64)));

  private static Link link(String card, String address, int prefix) {
    return new Link(card, InetAddress.ofLiteral(address), prefix);
  }

  private static void check(String listen, String advertise, String member, String more)
      throws BadConfigException {
    ConfigFile file =
        ConfigFile.of(
            "gateway.yaml",
            """
            listen: "%s:7450"
            advertise: "%s:7450"
            member_listen: "%s:7452"
            tls: {ca: /a, certificate: /b, key: /c}
            %s
            """
                .formatted(listen, advertise, member, more));
    TWO_CARDS.check(GatewayConfig.read(file), file);
  }

  @ParameterizedTest
  @CsvSource({
    "10.20.0.11, 10.20.0.11, 10.21.0.11",
    "10.20.0.11, gate1.invalid, 10.21.0.11",
    "10.20.0.11, 10.20.0.11, 127.0.0.1",
    "0.0.0.0, 10.20.0.11, 127.0.0.1",
    "10.20.0.11, 10.20.0.11, [fd21::11]",
    "127.0.0.1, 127.0.0.1, 10.20.0.11"
  })
  void aNetworkOfTheGatewaysAloneIsTaken(String listen, String advertise, String member) {
    assertDoesNotThrow(() -> check(listen, advertise, member, ""));
  }

  @ParameterizedTest
  @CsvSource({
    "10.20.0.11, 10.20.0.11, 10.20.0.11, is also the address for agents",
    "10.20.0.11, 10.20.0.11, 10.20.7.7, is on eth0",
    "10.20.0.11, 10.20.0.11, 10.30.0.11, is on eth0",
    "10.20.0.11, 10.20.0.11, [fd20::11], is on eth0",
    "[fd20::11], [fd20::11], 10.20.0.11, is on eth0",
    "0.0.0.0, 10.20.0.11, 10.21.0.11, is one of the addresses",
    "[::], 10.20.0.11, 10.21.0.11, is one of the addresses",
    "10.20.0.11, 10.21.0.77, 10.21.0.11, is on eth1",
    "10.20.0.11, 10.20.0.11, 8.8.8.8, is not a private address"
  })
  void oneThatNodesReachIsRefusedUnlessToldInSoManyWords(
      String listen, String advertise, String member, String why) {
    var refused =
        assertThrows(BadConfigException.class, () -> check(listen, advertise, member, ""));
    String said = String.valueOf(refused.getMessage());
    assertTrue(
        said.startsWith("gateway.yaml line 3: member_listen: ") && said.contains(":7452 " + why),
        said);
    assertTrue(said.contains("set 'member_network_is_protected: yes'"), said);
    assertDoesNotThrow(() -> check(listen, advertise, member, "member_network_is_protected: yes"));
  }

  @Test
  void theMachinesOwnAddressesAreKnown() throws IOException {
    assertTrue(
        MemberNetwork.here().links().stream()
            .anyMatch(link -> link.address().isLoopbackAddress() && link.prefix() >= 8));
  }
}
