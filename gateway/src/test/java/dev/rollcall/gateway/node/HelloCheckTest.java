package dev.rollcall.gateway.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Hello;
import dev.rollcall.wire.NodeMapper;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelloCheckTest {
  private static final HelloCheck CHECK = new HelloCheck("blue", "0.1.0", "gate:7450");
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
    assertEquals(addresses("172.17.0.1"), welcome.ignored());
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
    var result = new HelloCheck("blue", ours, "gate:7450").of(hello(theirs), LOOPBACK);
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
      var check = new HelloCheck("blue", release(example.group(1)), "gate:7450");
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
