package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Endpoint;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridConfigTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1:7452",
        "10.0.0.1:1",
        "172.16.3.4:1",
        "192.168.0.1:1",
        "[::1]:1",
        "[fd77::1]:1"
      })
  void loopbackAndPrivateAddressesAreTaken(String listen) {
    assertEquals(Endpoint.parse(listen), config(listen, false).listen());
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8:7452", "172.32.0.1:7452", "[2001:db8::1]:7452"})
  void aPublicAddressIsRefusedByNameUnlessTold(String listen) {
    assertTrue(refusal(listen, false).contains(Endpoint.parse(listen).toString()));
    assertEquals(Endpoint.parse(listen), config(listen, true).listen());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:7452", "[::]:7452"})
  void everyAddressAtOnceIsRefusedAlways(String listen) {
    assertTrue(refusal(listen, true).contains("name one address"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gate", "gate:", "gate:x", "gate:70000", "a b:1", ""})
  void aMemberThatIsNotHostAndPortIsRefused(String member) {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new GridConfig(
                "c", "g:7450", Endpoint.parse("127.0.0.1:7452"), List.of("ok:1", member), false));
  }

  private static GridConfig config(String listen, boolean publicListen) {
    return new GridConfig("c", "g:7450", Endpoint.parse(listen), List.of(), publicListen);
  }

  private static String refusal(String listen, boolean publicListen) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> config(listen, publicListen))
            .getMessage());
  }
}
