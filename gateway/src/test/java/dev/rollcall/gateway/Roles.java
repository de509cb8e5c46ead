package dev.rollcall.gateway;

import static java.util.Objects.requireNonNull;

import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.gateway.identity.NodeFile;
import dev.rollcall.gateway.identity.TokenKeys;
import dev.rollcall.gateway.limit.Rates;
import dev.rollcall.model.Prefix;
import dev.rollcall.testkit.tls.OpensslAuthority;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A gateway with TLS, and a certificate for each kind of those who reach it. */
final class Roles implements AutoCloseable {
  enum Who {
    NODE1("rollcall://cluster/node/node1", "10.0.0.1"),
    NODE2("rollcall://cluster/node/node2", "10.0.0.2"),
    LOGIN("rollcall://cluster/login/login1", "10.0.0.3"),
    GATEWAY("rollcall://cluster/gateway/gate1", "127.0.0.1"),
    SERVICE("rollcall://cluster/service/licence?port=27000", "10.0.0.5"),
    ADMINISTRATOR("rollcall://cluster/administrator/alice", "10.0.0.6"),
    OTHER_CLUSTER("rollcall://jura/administrator/alice", "10.0.0.6"),
    TWO_ROLES("rollcall://cluster/node/node1,URI:rollcall://cluster/administrator/x", "10.0.0.1");

    private final String uris;
    private final String address;

    Who(String uris, String address) {
      this.uris = uris;
      this.address = address;
    }
  }

  private final Map<Who, GrpcChannel> channels = new ConcurrentHashMap<>(); // made when asked for
  private final Map<Who, TlsFiles> files = new EnumMap<>(Who.class);
  private final Path directory;
  final TestGateways gateways;

  Roles(Path directory) throws Exception {
    this(directory, GatewayConfig.DEFAULTS.trust());
  }

  Roles(Path directory, TrustConfig trust) throws Exception {
    this.directory = directory;
    var authority = new OpensslAuthority(directory);
    for (Who who : Who.values()) {
      var issued =
          authority.issue(who.name(), "cn-" + who.name(), "IP:" + who.address + ",URI:" + who.uris);
      files.put(who, new TlsFiles(issued.ca(), issued.certificate(), issued.key()));
    }
    gateways =
        new TestGateways(
            TestGateways.World.MEMORY,
            1,
            Optional.empty(),
            Optional.ofNullable(files.get(Who.GATEWAY)),
            trust);
  }

  /** The same, with a gateway that issues tokens by a key in the directory. */
  static Roles withTokens(Path directory) throws Exception {
    Path key = directory.resolve("token.key");
    Files.writeString(key, "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return new Roles(
        directory,
        new TrustConfig(
            NamedCertificates.NONE,
            Set.of(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Duration.ofHours(12),
            Optional.of(TokenKeys.read(key)),
            Rates.DEFAULTS));
  }

  /** The same, with a network in which reports of nodes are accepted. */
  static Roles withNetwork(Path directory, String network) throws Exception {
    return withAddresses(directory, Optional.empty(), network);
  }

  /** The same, with the site's file of the nodes' addresses, too. */
  static Roles withAddresses(Path directory, Optional<NodeFile> file, String network)
      throws Exception {
    return new Roles(
        directory,
        new TrustConfig(
            NamedCertificates.NONE,
            Set.of(),
            file,
            List.of(Prefix.parse(network)),
            Optional.empty(),
            Duration.ofHours(12),
            Optional.empty(),
            Rates.DEFAULTS));
  }

  TlsFiles files(Who who) {
    return requireNonNull(files.get(who), who.name());
  }

  GrpcChannel channel(Who who) {
    return channels.computeIfAbsent(who, each -> gateways.channel(0, Optional.of(files(each))));
  }

  /** A connection of somebody without a certificate. */
  GrpcChannel stranger() {
    return gateways.uncertified(0, directory.resolve("ca.pem"));
  }

  FakeAgent agent(Who who, String node, String... addresses) throws InterruptedException {
    return new FakeAgent(channel(who), node, addresses).connect();
  }

  @Override
  public void close() {
    gateways.close();
  }
}
