package dev.rollcall.gateway.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.model.NodeName;
import dev.rollcall.wire.grpc.Peer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFileTest {
  @TempDir Path folder = Path.of("unset");

  private Path written(String text) throws IOException {
    return Files.writeString(folder.resolve("hosts"), text);
  }

  private static Set<InetAddress> addresses(String... texts) {
    return Arrays.stream(texts).map(InetAddress::ofLiteral).collect(Collectors.toSet());
  }

  @Test
  void aNodeHasTheAddressesOfItsLines() throws IOException {
    NodeFile file =
        NodeFile.read(
            written(
                """
                127.0.0.1  localhost n1
                fe80::1    n1
                # the first
                10.0.0.1   n1.alps.example n1   # eth0
                fd20::1    n1
                10.1.0.1   n1-ib n1
                10.0.0.2   n2

                """));
    assertEquals(addresses("10.0.0.1", "fd20::1", "10.1.0.1"), file.of(new NodeName("n1")));
    assertEquals(addresses("10.0.0.2"), file.of(new NodeName("n2")));
    assertEquals(Set.of(), file.of(new NodeName("n3")));
  }

  @Test
  void anAddressOfTwoNodesIsNobodys() throws IOException {
    NodeFile file = NodeFile.read(written("10.0.0.1 n1\n10.0.0.1 n2\n10.0.0.3 n2\n"));
    assertEquals(Set.of(), file.of(new NodeName("n1")));
    assertEquals(addresses("10.0.0.3"), file.of(new NodeName("n2")));
    file = NodeFile.read(written("10.0.0.1 n1\n10.0.0.1 n1 n1.alps.example\n"));
    assertEquals(addresses("10.0.0.1"), file.of(new NodeName("n1.alps.example")));
  }

  @Test
  void whatIsWrongIsNamedAndARenewalThatIsWrongChangesNothing() throws IOException {
    Path path = written("10.0.0.1 n1\n10.0.0.400 n2\n");
    var refused = assertThrows(IllegalArgumentException.class, () -> NodeFile.read(path));
    assertEquals(path + ":2: '10.0.0.400' is not an address", refused.getMessage());
    NodeFile file = NodeFile.read(written("10.0.0.1 n1\n"));
    written("10.0.0.1 n1\nnonsense n2\n");
    file.renew();
    assertEquals(addresses("10.0.0.1"), file.of(new NodeName("n1")));
    written("10.0.0.7 n1\n");
    file.renew();
    assertEquals(addresses("10.0.0.7"), file.of(new NodeName("n1")));
    Files.delete(path);
    file.renew();
    assertEquals(addresses("10.0.0.7"), file.of(new NodeName("n1")));
  }

  @Test
  void aNodeMaySpeakForTheAddressesOfItsCertificateAndOfTheFile() throws IOException {
    NodeFile file = NodeFile.read(written("10.0.0.1 n1\n10.0.0.2 n2\n"));
    var identities =
        new CertificateAuthenticator("alps", NamedCertificates.NONE, Optional.of(file));
    var peer =
        new Peer.Certified(
            "n1", addresses("10.9.0.1"), Set.of("rollcall://alps/node/n1"), Instant.MAX);
    assertEquals(
        new AuthenticationResult.Known(
            new Identity.Node(new NodeName("n1"), addresses("10.0.0.1", "10.9.0.1"))),
        identities.of(peer));
  }
}
