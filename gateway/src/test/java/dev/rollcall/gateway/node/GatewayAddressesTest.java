package dev.rollcall.gateway.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GatewayAddressesTest {
  private static Set<InetAddress> addresses(String... texts) {
    return Arrays.stream(texts).map(InetAddress::ofLiteral).collect(Collectors.toSet());
  }

  @Test
  void theAddressesOfAGatewayThatIsDownStayItsOwn() {
    var gateways = new GatewayAddresses();
    gateways.look(Set.of("10.0.0.1:7450", "[fd77::1]:7450"));
    gateways.look(Set.of("10.0.0.2:7450"));
    assertEquals(addresses("10.0.0.1", "fd77::1", "10.0.0.2"), gateways.get());
  }
}
