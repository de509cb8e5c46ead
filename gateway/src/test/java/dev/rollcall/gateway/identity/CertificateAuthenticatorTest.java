package dev.rollcall.gateway.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.memory.PeerKind;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CertificateAuthenticatorTest {
  private static final Set<InetAddress> ADDRESSES =
      Set.of(InetAddress.ofLiteral("10.0.0.5"), InetAddress.ofLiteral("fd77::5"));
  private static final Set<Endpoint> LISTED = Set.of(Endpoint.parse("10.0.0.9:1713"));

  private final CertificateAuthenticator identities =
      new CertificateAuthenticator(
          "alps",
          new NamedCertificates(
              Set.of("alice"), Map.of("licence", LISTED), List.of("login[1-2]", "front")),
          Optional.empty());

  private AuthenticationResult of(String commonName, String... uris) {
    return identities.of(
        new Peer.Certified(
            commonName, ADDRESSES, Arrays.stream(uris).collect(Collectors.toSet()), Instant.MAX));
  }

  private static AuthenticationResult known(Identity identity) {
    return new AuthenticationResult.Known(identity);
  }

  private static AuthenticationResult refused(String commonName, String why) {
    return new AuthenticationResult.Refused(
        "the certificate of '" + commonName + "' is refused: " + why);
  }

  @Test
  void aCertificateIsWhatItsUriSaysWhateverItsCommonName() {
    assertEquals(
        known(new Identity.Node(new NodeName("n1"), ADDRESSES)),
        of("alice", "rollcall://alps/node/n1"));
    assertEquals(known(new Identity.Gateway("g1")), of("alice", "rollcall://alps/gateway/g1"));
    assertEquals(
        known(new Identity.Administrator("bob")), of("n1", "rollcall://alps/administrator/bob"));
    assertEquals(
        known(new Identity.Node(new NodeName("n1"), ADDRESSES)),
        of("n1", "spiffe://alps/workload", "rollcall://alps/node/n1"));
  }

  @Test
  void aServiceHasEachAddressWithEachPort() {
    assertEquals(
        known(
            new Identity.Service(
                "db",
                Set.of(
                    Endpoint.parse("10.0.0.5:1"),
                    Endpoint.parse("10.0.0.5:2"),
                    Endpoint.parse("[fd77::5]:1"),
                    Endpoint.parse("[fd77::5]:2")))),
        of("x", "rollcall://alps/service/db?port=1", "rollcall://alps/service/db?port=2"));
  }

  @Test
  void withoutAUriItIsWhatTheSiteSaysElseANode() {
    assertEquals(known(new Identity.Administrator("alice")), of("alice"));
    assertEquals(known(new Identity.Service("licence", LISTED)), of("licence"));
    assertEquals(known(new Identity.Node(new NodeName("n1"), ADDRESSES)), of("n1"));
    assertEquals(
        refused("Eve E.", "it names no role, and its common name is not a node"), of("Eve E."));
  }

  private static AuthenticationResult loginNode(String name) {
    return known(new Identity.Node(new NodeName(name), ADDRESSES, true));
  }

  /** The site's list is about certificates without a role, as all of its lists. */
  @Test
  void aLoginNodeIsOneByItsRoleElseByTheSitesList() {
    assertEquals(loginNode("n1"), of("x", "rollcall://alps/login/n1"));
    assertEquals(loginNode("login2"), of("login2"));
    assertEquals(loginNode("front"), of("front"));
    assertEquals(
        known(new Identity.Node(new NodeName("login2"), ADDRESSES)),
        of("login2", "rollcall://alps/node/login2"));
    assertEquals(
        refused("n1", "it has more than one role"),
        of("n1", "rollcall://alps/node/n1", "rollcall://alps/login/n1"));
  }

  private PeerKind kind(String commonName, Set<InetAddress> addresses, String... uris) {
    return identities
        .account(new Peer.Certified(commonName, addresses, Set.of(uris), Instant.MAX))
        .kind();
  }

  /** Authorities of sites sign certificates of many parties: each has a common name. */
  @Test
  void onlyNodesAndAdministratorsHaveTheProtectedMemory() {
    assertEquals(PeerKind.PROTECTED, kind("alice", Set.of()));
    assertEquals(PeerKind.SERVICE, kind("licence", Set.of()));
    assertEquals(PeerKind.PROTECTED, kind("n1", ADDRESSES));
    assertEquals(PeerKind.USER, kind("bob", Set.of()));
    assertEquals(PeerKind.USER, kind("Eve E.", ADDRESSES));
    assertEquals(PeerKind.USER, kind("bob", Set.of(), "https://site.example/bob"));
    assertEquals(PeerKind.PROTECTED, kind("bob", Set.of(), "rollcall://alps/node/n1"));
    assertEquals(PeerKind.SERVICE, kind("alice", Set.of(), "rollcall://alps/service/db?port=1"));
    assertEquals(PeerKind.SERVICE, kind("alice", Set.of(), "rollcall://alps/monitor/prometheus"));
    assertEquals(PeerKind.USER, kind("alice", Set.of(), "rollcall://alps/emperor/alice"));
    assertEquals(PeerKind.USER, new Identity.Node(new NodeName("bob"), Set.of()).kind());
  }

  @Test
  void anotherClustersCertificateIsRefusedByName() {
    assertEquals(
        refused("n1", "it is for cluster 'jura', but this gateway is in 'alps'"),
        of("n1", "rollcall://jura/node/n1"));
  }

  @Test
  void twoRolesAreNone() {
    String two = "it has more than one role";
    assertEquals(
        refused("n1", two), of("n1", "rollcall://alps/node/n1", "rollcall://alps/gateway/n1"));
    assertEquals(
        refused("n1", two), of("n1", "rollcall://alps/node/n1", "rollcall://alps/node/n2"));
  }

  @Test
  void aMonitorIsNobodyHere() {
    assertEquals(
        refused("prometheus", "a monitor reads only metrics"),
        of("prometheus", "rollcall://alps/monitor/prometheus"));
  }

  @Test
  void aRoleThatIsNoneIsRefusedAndNotTakenForANode() {
    assertEquals(
        refused(
            "n1",
            "'rollcall://alps/boss/n1' is not rollcall://CLUSTER/ROLE/NAME: 'boss' is not a role;"
                + " roles are node, login, gateway, service, administrator, monitor"),
        of("n1", "rollcall://alps/boss/n1"));
  }

  @Test
  void theEmbeddedDefaultKnowsNobodyAndTrustsThem() {
    assertEquals(
        known(new Identity.Embedded("127.0.0.1:9")),
        identities.of(new Peer.Anonymous("127.0.0.1:9")));
  }
}
