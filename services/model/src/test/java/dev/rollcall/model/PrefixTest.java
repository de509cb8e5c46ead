package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrefixTest {
  @Test
  void bitsAfterTheLengthAreDropped() {
    assertEquals("10.76.0.0/15", Prefix.parse("10.77.3.4/15").toString());
    assertEquals(Prefix.parse("fd77::/64"), Prefix.parse("fd77::1:2:3:4/64"));
  }

  @Test
  void holdsAddressesOfItsFamilyOnly() {
    Prefix all = Prefix.parse("0.0.0.0/0");
    assertTrue(all.contains(InetAddress.ofLiteral("10.77.0.1")));
    assertFalse(all.contains(InetAddress.ofLiteral("fd77::1")));
    assertFalse(Prefix.parse("10.77.0.0/24").contains(InetAddress.ofLiteral("10.77.1.0")));
    assertTrue(Prefix.parse("10.77.0.0/23").contains(InetAddress.ofLiteral("10.77.1.0")));
  }

  @Test
  void anIpv4PrefixCountsTheMappingsBitsToo() {
    Prefix prefix = Prefix.parse("10.77.0.0/24");
    assertEquals(120, prefix.mappedLength());
    assertArrayEquals(
        new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 77, 0, 0}, prefix.mapped());
    assertEquals(64, Prefix.parse("fd77::/64").mappedLength());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "fd77::/129", "a/8"})
  void anythingElseIsRefusedByName(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Prefix.parse(text));
    assertTrue(String.valueOf(e.getMessage()).contains("'" + text + "'"), e.getMessage());
  }
}
