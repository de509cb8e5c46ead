package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.model.RoleUri.Role;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoleUriTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rollcall://alps/node/n001",
        "rollcall://my_cluster.x/gateway/gate1",
        "rollcall://alps/service/licence?port=27000",
        "rollcall://alps/administrator/alice"
      })
  void whatIsReadIsWrittenAlike(String text) {
    assertEquals(text, RoleUri.parse(text).orElseThrow().toString());
  }

  @Test
  void aServiceHasItsPort() {
    assertEquals(
        Optional.of(new RoleUri("alps", Role.SERVICE, "licence", OptionalInt.of(27000))),
        RoleUri.parse("rollcall://alps/service/licence?port=27000"));
  }

  @Test
  void anotherSchemeIsNoRole() {
    assertEquals(Optional.empty(), RoleUri.parse("spiffe://alps/node/n001"));
    assertEquals(Optional.empty(), RoleUri.parse("rollcalls://alps/node/n001"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "rollcall://alps/root/x | 'root' is not a role; roles are node, login, gateway, service,"
            + " administrator, monitor",
        "rollcall://alps/node | it has other parts",
        "rollcall://alps/node/ | it has other parts",
        "rollcall://alps/node/a/b | it has other parts",
        "rollcall://alps/node/n1#x | it has other parts",
        "rollcall:alps/node/n1 | it has other parts",
        "ROLLCALL:///node/n1 | it has other parts",
        "rollcall://alps:1/node/n1 | 'alps:1' is not a cluster",
        "rollcall://eve@alps/node/n1 | 'eve@alps' is not a cluster",
        "rollcall://alps/node/n%2f1 | 'n%2f1' is not a name",
        "rollcall://alps/node/.. | '..' is not a name",
        "rollcall://alps/node/n1?port=22 | a node has no port",
        "rollcall://alps/service/s | a service has a port: ?port=NUMBER is missing",
        "rollcall://alps/service/s?port=0 | port 0 is not within 1 to 65535",
        "rollcall://alps/service/s?port=70000 | port 70000 is not within 1 to 65535",
        "rollcall://alps/service/s?port=1&port=2 | 'port=1&port=2' is not port=NUMBER"
      })
  void whatIsNoRoleIsRefusedWithItsReason(String text, String reason) {
    var failure = assertThrows(IllegalArgumentException.class, () -> RoleUri.parse(text));
    assertEquals(
        "'" + text + "' is not rollcall://CLUSTER/ROLE/NAME: " + reason, failure.getMessage());
  }
}
