package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterPrefixesTest {
  private static Set<String> covering(String... addresses) {
    return texts(
        ClusterPrefixes.covering(Stream.of(addresses).map(InetAddress::ofLiteral).toList()));
  }

  private static Set<String> texts(ClusterPrefixes prefixes) {
    return prefixes.all().stream().map(Prefix::toString).collect(Collectors.toSet());
  }

  private static ClusterPrefixes ofMany(int count, IntFunction<String> address) {
    return ClusterPrefixes.covering(
        IntStream.range(0, count).mapToObj(address).map(InetAddress::ofLiteral).toList());
  }

  private static void assertCovers(ClusterPrefixes prefixes, String address) {
    InetAddress one = InetAddress.ofLiteral(address);
    assertTrue(prefixes.all().stream().anyMatch(each -> each.contains(one)), address);
  }

  @Test
  void eachAddressIsCoveredByItsUsualNetwork() {
    assertEquals(
        Set.of("10.1.2.0/24", "10.1.3.0/24", "fd77:0:0:5::/64"),
        covering("10.1.2.3", "10.1.2.4", "10.1.3.1", "fd77:0:0:5::9", "fd77:0:0:5:ffff::1"));
  }

  @Test
  void addressesThatNoOtherNodeReachesAreLeftOut() {
    assertEquals(
        Set.of(), covering("127.0.0.1", "169.254.7.7", "0.0.0.0", "224.0.0.1", "::1", "fe80::1"));
  }

  @Test
  void tenThousandNetworksAreCoveredByFewerWiderOnes() {
    ClusterPrefixes many = ofMany(10_000, i -> "10." + i / 250 + "." + i % 250 + ".1");
    assertTrue(many.all().size() <= ClusterPrefixes.MOST, many.all().size() + " prefixes");
    assertTrue(many.isWidened());
    assertCovers(many, "10.0.0.1");
    assertCovers(many, "10.39.249.1");
    assertFalse(ofMany(4_000, i -> "10." + i / 250 + "." + i % 250 + ".1").isWidened());
  }

  @Test
  void networksOfAllTheWorldStayWithinTheBound() {
    ClusterPrefixes many =
        ofMany(50_000, i -> "%x:%x::1".formatted(0x2000 + i / 8, 0x1000 * (i % 8)));
    assertEquals(ClusterPrefixes.MOST, many.all().size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0/0", "10.0.0.0/7", "::/0", "2000::/3", "127.0.0.0/8", "127.0.0.1/32",
        "169.254.0.0/16", "224.0.0.0/8", "::1/128", "::/80", "fe80::/64", "ff02::/64"
      })
  void prefixesThatMayNotBePushedToAreRefused(String text) {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new ClusterPrefixes(Set.of(Prefix.parse(text), Prefix.parse("10.0.0.0/8"))));
    assertTrue(String.valueOf(e.getMessage()).contains(text), e.getMessage());
  }

  @Test
  void moreThanTheBoundAreRefused() {
    Set<Prefix> many =
        IntStream.range(0, 10_000)
            .mapToObj(i -> Prefix.parse("10." + i / 256 + "." + i % 256 + ".0/24"))
            .collect(Collectors.toSet());
    var e = assertThrows(IllegalArgumentException.class, () -> new ClusterPrefixes(many));
    assertTrue(String.valueOf(e.getMessage()).contains("10000"), e.getMessage());
  }

  @Test
  void oneWithinAnotherIsAllowed() {
    List<Prefix> both = List.of(Prefix.parse("10.1.0.0/16"), Prefix.parse("10.1.2.0/24"));
    assertEquals(2, new ClusterPrefixes(Set.copyOf(both)).all().size());
  }
}
