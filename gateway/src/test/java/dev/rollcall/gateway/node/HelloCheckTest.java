package dev.rollcall.gateway.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.gateway.identity.NodeFile;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.Prefix;
import dev.rollcall.model.RefusedAddresses;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.NodeMapper;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelloCheckTest {
  private static final HelloCheck CHECK =
      new HelloCheck("blue", "0.1.0", "gate:7450", NodeNetworks.NONE);
  private static final Identity LOOPBACK = new Identity.Embedded("127.0.0.1:1");

  private static Set<InetAddress> addresses(String... texts) {
    return Arrays.stream(texts).map(InetAddress::ofLiteral).collect(Collectors.toSet());
  }

  private static Hello hello(String version, String... addresses) {
    return NodeMapper.hello(
        "blue",
        new Roll.NodeDescription(
            new NodeEpoch(new NodeName("node1"), "boot", 1),
            addresses(addresses),
            "",
            version,
            "sock_ops"));
  }

  private static Identity certified(String name, String... addresses) {
    return new Identity.Node(new NodeName(name), addresses(addresses));
  }

  private static void assertRefused(HelloCheck.Result result, Status.Code code, String words) {
    Status status = assertInstanceOf(HelloCheck.Result.Refused.class, result).status();
    assertEquals(code, status.getCode());
    assertTrue(String.valueOf(status.getDescription()).contains(words), status.toString());
  }

  @Test
  void aNodeWithItsOwnCertificateIsWelcome() {
    var result = CHECK.of(hello("0.1.0", "10.0.0.1"), certified("node1", "10.0.0.1", "fd77::1"));
    var said = assertInstanceOf(HelloCheck.Result.Welcome.class, result).description();
    assertEquals("gate:7450", said.gateway());
    assertEquals(addresses("10.0.0.1"), said.addresses());
  }

  @Test
  void aCertificateSpeaksForItsOwnNodeAlone() {
    assertRefused(
        CHECK.of(hello("0.1.0", "10.0.0.1"), certified("node2", "10.0.0.1")),
        Status.Code.PERMISSION_DENIED,
        "the certificate of node node2 is not valid for node node1");
  }

  @Test
  void aCertificateSpeaksForItsOwnAddressesAlone() {
    var result = CHECK.of(hello("0.1.0", "10.0.0.1", "172.17.0.1"), certified("node1", "10.0.0.1"));
    var welcome = assertInstanceOf(HelloCheck.Result.Welcome.class, result);
    assertEquals(addresses("10.0.0.1"), welcome.description().addresses());
    assertEquals(addresses("172.17.0.1"), refused(welcome, "certificate"));
  }

  /** Those that are refused, each of which has this word in its reason. */
  private static Set<InetAddress> refused(HelloCheck.Result.Welcome welcome, String word) {
    welcome
        .refused()
        .shown()
        .forEach(each -> assertTrue(each.reason().contains(word), each.toString()));
    return welcome.refused().shown().stream()
        .map(RefusedAddresses.Refused::address)
        .collect(Collectors.toSet());
  }

  private static HelloCheck.Result.Welcome trusting(
      NodeNetworks networks, Identity peer, String... addresses) {
    var check = new HelloCheck("blue", "0.1.0", "gate:7450", networks);
    return assertInstanceOf(
        HelloCheck.Result.Welcome.class, check.of(hello("0.1.0", addresses), peer));
  }

  private static NodeNetworks networks(String... prefixes) {
    return new NodeNetworks(
        Stream.of(prefixes).map(Prefix::parse).toList(),
        Optional.empty(),
        () -> addresses("10.88.0.2"));
  }

  @Test
  void aReportIsBelievedInTheNetworksOfTheSiteAlone() {
    var welcome =
        trusting(
            networks("10.88.0.0/24", "fd88::/64"),
            certified("node1", "10.0.0.1", "10.0.0.7"),
            "10.0.0.1",
            "10.88.0.11",
            "fd88::11",
            "10.89.0.11",
            "fd88:0:0:1::11");
    assertEquals(addresses("10.0.0.1"), welcome.description().addresses());
    assertEquals(addresses("10.88.0.11", "fd88::11"), welcome.description().reported());
    assertEquals(addresses("10.0.0.7"), welcome.description().reserved());
    assertEquals(addresses("10.89.0.11", "fd88:0:0:1::11"), refused(welcome, "node_networks"));
  }

  @Test
  void aGatewaysAddressIsNeverANodesByItsReport() {
    var welcome = trusting(networks("10.88.0.0/24"), certified("node1", "10.0.0.1"), "10.88.0.2");
    assertEquals(Set.of(), welcome.description().reported());
    assertEquals(addresses("10.88.0.2"), refused(welcome, "gateway"));
    var listed = trusting(networks("10.88.0.0/24"), certified("node1", "10.88.0.2"), "10.88.0.2");
    assertEquals(addresses("10.88.0.2"), listed.description().addresses());
  }

  @Test
  void anAddressThatTheSitesFileHasIsNotReported(@TempDir Path directory) throws IOException {
    Path hosts =
        Files.writeString(
            directory.resolve("hosts"), "10.88.0.3 node3\n10.88.0.4 node4\n10.88.0.4 node5\n");
    var networks =
        new NodeNetworks(
            List.of(Prefix.parse("10.88.0.0/24")), Optional.of(NodeFile.read(hosts)), Set::of);
    var welcome =
        trusting(networks, certified("node1", "10.0.0.1"), "10.88.0.3", "10.88.0.4", "10.88.0.5");
    assertEquals(addresses("10.88.0.5"), welcome.description().reported());
    assertEquals(addresses("10.88.0.3", "10.88.0.4"), refused(welcome, "node_file has it for"));
  }

  @Test
  void addressesThatBelongToNoSingleNodeAreNotReported() {
    var welcome =
        trusting(
            networks("0.0.0.0/0", "::/0"),
            certified("node1", "10.0.0.1"),
            "127.0.0.9",
            "::1",
            "169.254.0.1",
            "fe80::1",
            "224.0.0.5",
            "ff02::1",
            "0.0.0.0",
            "::");
    assertEquals(Set.of(), welcome.description().reported());
    assertEquals(8, refused(welcome, "cannot belong to one node").size());
  }

  @Test
  void anIpv4MappedAddressIsTheIpv4Address() throws IOException {
    byte[] mapped = Prefix.mapped(InetAddress.ofLiteral("10.88.0.2"));
    var hello = hello("0.1.0").toBuilder().addAddresses(ByteString.copyFrom(mapped)).build();
    var check = new HelloCheck("blue", "0.1.0", "gate:7450", networks("10.88.0.0/24", "::/0"));
    var result = check.of(hello, certified("node1", "10.0.0.1"));
    var welcome = assertInstanceOf(HelloCheck.Result.Welcome.class, result);
    assertEquals(addresses("10.88.0.2"), refused(welcome, "gateway"));
  }

  @Test
  void ofManyAddressesTheSame64AreAccepted() {
    String[] many =
        IntStream.range(0, 4_000)
            .mapToObj(i -> "10.90.%d.%d".formatted(i / 250, 1 + i % 250))
            .toArray(String[]::new);
    var peer = certified("node1", "10.0.0.1");
    var welcome = trusting(networks("10.90.0.0/16"), peer, many);
    assertEquals(addresses(Arrays.copyOf(many, 64)), welcome.description().reported());
    assertEquals(4_000 - 64, welcome.refused().count());
    assertEquals(64, refused(welcome, "64 addresses").size());
    assertRefused(
        CHECK.of(
            hello("0.1.0").toBuilder()
                .addAllAddresses(
                    Collections.nCopies(10_000, CallerMapper.bytes(InetAddress.ofLiteral(many[0]))))
                .build(),
            peer),
        Status.Code.INVALID_ARGUMENT,
        "10000 are more than 4096");
  }

  /** It may be a user's, of a site whose authority writes no roles. */
  @Test
  void aCertificateWithoutAnAddressReportsNone() {
    var welcome = trusting(networks("10.88.0.0/24"), certified("node1"), "10.88.0.11");
    assertEquals(Set.of(), welcome.description().reported());
    assertEquals(addresses("10.88.0.11"), refused(welcome, "no address of the node"));
  }

  @Test
  void onLoopbackNobodyHasACertificate() {
    assertInstanceOf(
        HelloCheck.Result.Welcome.class, CHECK.of(hello("0.1.0", "10.0.0.1"), LOOPBACK));
  }

  @Test
  void onlyNodesConnect() {
    for (Identity other :
        List.of(
            new Identity.Gateway("node1"),
            new Identity.Service("node1", Set.of()),
            new Identity.Administrator("node1"),
            new Identity.Person(0),
            new Identity.Stranger("10.0.0.1:1", Optional.empty()))) {
      assertRefused(
          CHECK.of(hello("0.1.0", "10.0.0.1"), other),
          Status.Code.PERMISSION_DENIED,
          other + " is not a node: only nodes may connect here");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.1.0, 0.1.9, true",
    "0.1.0, 0.2.0, true",
    "0.2.3, 0.1.9-rc1, true",
    "0.1.0, 0.3.0, false",
    "0.3.0, 0.1.0, false",
    "0.9.0, 0.10.0, true",
    "0.1.0, 0.99999999999999999999.0, false",
    "0.1.0, 1.1.0, false",
    "1.4.0, 1.9.2-rc1, true",
    "1.4.0, 2.0.0, false",
    "0.1.0, unreleased, true",
    "unreleased, 9.9, true",
    "0.1.0, '', false"
  })
  void neighbouringReleasesFit(String ours, String theirs, boolean fits) {
    var result =
        new HelloCheck("blue", ours, "gate:7450", NodeNetworks.NONE).of(hello(theirs), LOOPBACK);
    assertEquals(fits, result instanceof HelloCheck.Result.Welcome);
  }

  @Test
  void aNameThatIsNoneIsRefusedByItsField() {
    var hello = hello("0.1.0").toBuilder().setNode("../etc").build();
    assertRefused(CHECK.of(hello, LOOPBACK), Status.Code.INVALID_ARGUMENT, "hello.node: '../etc'");
  }

  /** A site that upgrades by that page must not lose its nodes. */
  @Test
  void theExamplesOfTheRequirementsPageHold() throws IOException {
    Path page = Path.of(System.getProperty("rollcall.home", ".."), "docs/requirements.md");
    String text = Files.readString(page).replaceAll("\\s+", " ");
    List<MatchResult> examples =
        Pattern.compile("([0-9.]+) and ([0-9.]+) do( not)?[,.]").matcher(text).results().toList();
    assertEquals(2, examples.size(), page + " has examples of versions");
    for (MatchResult example : examples) {
      var check = new HelloCheck("blue", release(example.group(1)), "gate:7450", NodeNetworks.NONE);
      var result = check.of(hello(release(example.group(2)), "10.0.0.1"), LOOPBACK);
      assertEquals(
          example.group(3) == null,
          result instanceof HelloCheck.Result.Welcome,
          example.group() + ": " + result);
    }
  }

  private static String release(String version) {
    return version.matches("[0-9]+\\.[0-9]+") ? version + ".0" : version;
  }
}
