package dev.rollcall.wire.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.RoleUri.Role;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.roll.v1.Welcome;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.pace.SharedTimer;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real servers and clients whose files change under them. */
class RotationTest {
  @TempDir Path folder = Path.of("unset");
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final List<Set<InetAddress>> addresses = new CopyOnWriteArrayList<>();
  private Issuing issuing;

  @BeforeEach
  void begin() throws Exception {
    issuing = new Issuing(folder, "alps");
  }

  @AfterEach
  void end() throws Exception {
    await(vertx.close());
    issuing.close();
  }

  /** Welcomes everybody, and tells who it was. */
  private final class Welcoming extends RollServiceGrpc.RollServiceImplBase {
    @Override
    public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> orders) {
      var peer = (Peer.Certified) Peer.current();
      seen.add(peer.commonName());
      addresses.add(peer.addresses());
      orders.onNext(ConnectResponse.newBuilder().setWelcome(Welcome.getDefaultInstance()).build());
      return new StreamObserver<>() {
        @Override
        public void onNext(ConnectRequest event) {}

        @Override
        public void onError(Throwable cause) {}

        @Override
        public void onCompleted() {
          orders.onCompleted();
        }
      };
    }
  }

  /** One stream from a client of its own. */
  private final class NodeConnection implements StreamObserver<ConnectResponse> {
    private final CompletableFuture<ConnectResponse> welcome = new CompletableFuture<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();

    NodeConnection(int port, TlsIdentity tls) {
      this(channel(port, tls));
    }

    NodeConnection(GrpcChannel channel) {
      var _ = RollServiceGrpc.newStub(channel).connect(this);
    }

    @Override
    public void onNext(ConnectResponse order) {
      welcome.complete(order);
    }

    @Override
    public void onError(Throwable cause) {
      end.complete(Status.fromThrowable(cause));
      welcome.completeExceptionally(cause);
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }

    NodeConnection welcomed() throws Exception {
      var _ = welcome.get(60, TimeUnit.SECONDS);
      return this;
    }

    String refusal() throws Exception {
      Status status = end.get(60, TimeUnit.SECONDS);
      assertEquals(Status.Code.UNAVAILABLE, status.getCode());
      return String.valueOf(status.getDescription());
    }
  }

  private GrpcChannel channel(int port, TlsIdentity tls) {
    return GrpcChannel.tcp(vertx, "127.0.0.1", port, Optional.of(tls), KeepAlive.CALM);
  }

  private int serve(TlsIdentity tls) throws Exception {
    var services =
        new GrpcServices(
            vertx,
            List.of(new Welcoming().bindService()),
            KeepAlive.CALM,
            Optional.empty(),
            PeerBounds.wide());
    return await(services.listenTcp("127.0.0.1", 0, Optional.of(tls), Certificates.REQUIRED))
        .port();
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Test
  void certificatesChangeUnderAStandingStreamAndNewConnectionsHaveTheNewOnes() throws Exception {
    TlsIdentity gateway = issuing.issue(Role.GATEWAY, "g1").identity("alps");
    TlsIdentity node = issuing.issue(Role.NODE, "n1").identity("alps");
    int port = serve(gateway);
    NodeConnection standing = new NodeConnection(port, node).welcomed();
    try (var next = new Issuing(folder.resolve("next"), "alps")) {
      // Both trust both, then both show a new one, then nobody trusts the old authority.
      for (String holder : List.of("g1", "n1")) {
        Files.write(
            issuing.files(holder).ca(),
            Files.readAllBytes(next.authority().root()),
            StandardOpenOption.APPEND);
      }
      assertInstanceOf(ReloadResult.Taken.class, gateway.renew());
      assertInstanceOf(ReloadResult.Taken.class, node.renew());
      TlsFiles nextGateway = next.issue(Role.GATEWAY, "g1");
      copy(nextGateway, issuing.files("g1"));
      assertInstanceOf(ReloadResult.Taken.class, gateway.renew());
      new NodeConnection(port, node).welcomed();
      copy(next.issue(Role.NODE, "n1"), issuing.files("n1"));
      assertInstanceOf(ReloadResult.Taken.class, node.renew());
      new NodeConnection(port, node).welcomed();
      // Who knows the new authority alone is let in by it, which shows what the server shows.
      new NodeConnection(port, next.files("n1").identity("alps")).welcomed();
      assertFalse(standing.end.isDone());
    }
  }

  private static void copy(TlsFiles from, TlsFiles to) throws Exception {
    Files.write(to.key(), Files.readAllBytes(from.key()));
    Files.write(to.certificate(), Files.readAllBytes(from.certificate()));
  }

  @Test
  void aRevokedClientIsClosedWhenTheListComesAndNotLetInAgain() throws Exception {
    TlsIdentity gateway = issuing.issue(Role.GATEWAY, "g1").identity("alps");
    int port = serve(gateway);
    NodeConnection standing =
        new NodeConnection(port, issuing.issue(Role.NODE, "n1").identity()).welcomed();
    NodeConnection other =
        new NodeConnection(port, issuing.issue(Role.NODE, "n2").identity()).welcomed();
    issuing.revoke("n1");
    issuing.bringList("g1");
    assertFalse(standing.end.isDone());
    assertInstanceOf(ReloadResult.Taken.class, gateway.renew());
    var _ = standing.refusal();
    var _ = new NodeConnection(port, issuing.files("n1").identity()).refusal();
    assertFalse(other.end.isDone());
    assertEquals(List.of("n1", "n2"), seen);
  }

  @Test
  void aClientConnectsAgainWhenItsCertificateNamesOtherAddresses() throws Exception {
    int port = serve(issuing.issue(Role.GATEWAY, "g1").identity("alps"));
    TlsIdentity node = issuing.issue(Role.NODE, "n1").identity("alps");
    GrpcChannel channel = channel(port, node);
    NodeConnection standing = new NodeConnection(channel).welcomed();
    issuing.reissue("n1", "10.77.0.1");
    assertInstanceOf(ReloadResult.Taken.class, node.renew());
    var _ = standing.refusal();
    new NodeConnection(channel).welcomed();
    assertEquals(List.of(Set.of(), Set.of(InetAddress.ofLiteral("10.77.0.1"))), addresses);
  }

  @Test
  void aRevokedGatewayIsLeftWhenTheListComesAndNotCalledAgain() throws Exception {
    int port = serve(issuing.issue(Role.GATEWAY, "g1").identity("alps"));
    TlsIdentity node = issuing.issue(Role.NODE, "n1").identity("alps");
    NodeConnection standing = new NodeConnection(port, node).welcomed();
    issuing.revoke("g1");
    issuing.bringList("n1");
    assertInstanceOf(ReloadResult.Taken.class, node.renew());
    var _ = standing.refusal();
    String said = new NodeConnection(port, node).refusal();
    assertTrue(said.contains("was revoked at"), said);
  }

  @Test
  void aClientWhoseCertificateEndsIsClosedAtTheNextLook() throws Exception {
    TlsIdentity gateway = issuing.issue(Role.GATEWAY, "g1").identity("alps");
    int port = serve(gateway);
    // Certificates end at whole seconds, so this one lives for four to five.
    TlsFiles short5 = issuing.issue(Role.NODE, "n1", Duration.ofSeconds(5));
    NodeConnection standing = new NodeConnection(port, short5.identity()).welcomed();
    assertInstanceOf(ReloadResult.Unchanged.class, gateway.renew());
    assertFalse(standing.end.isDone());
    Await.until(
        "the connection ends",
        () -> {
          var _ = gateway.renew();
          return standing.end.isDone();
        });
    var _ = new NodeConnection(port, short5.identity()).refusal();
  }

  @ParameterizedTest
  @EnumSource(names = "GATEWAY", mode = EnumSource.Mode.EXCLUDE)
  void anImpostorAtAGatewaysAddressIsRefused(Role role) throws Exception {
    TlsIdentity node = issuing.issue(Role.NODE, "n1").identity("alps");
    int port = serve(issuing.issue(role, "evil").identity());
    String said = new NodeConnection(port, node).refusal();
    assertTrue(said.contains("cannot reach"), said);
    assertEquals(List.of(), seen);
  }

  @Test
  void anotherClustersGatewayIsRefusedByName() throws Exception {
    int port = serve(issuing.issue(Role.GATEWAY, "g1").identity());
    TlsFiles node = issuing.issue(Role.NODE, "n1");
    new NodeConnection(port, node.identity("alps")).welcomed();
    String said = new NodeConnection(port, node.identity("jura")).refusal();
    assertTrue(
        said.contains("is for rollcall://alps/gateway/g1, and not for a gateway of cluster jura"),
        said);
    assertEquals(List.of("n1"), seen);
  }

  @Test
  void theWatchTakesNewFilesAndRejectsOthersAsLongAsTheyAreThere() throws Exception {
    TlsFiles files = issuing.issue(Role.NODE, "n1");
    TlsIdentity node = files.identity("alps");
    var taken = new AtomicInteger();
    Runnable stop =
        TlsWatch.start(
            vertx,
            new SharedTimer(vertx, Duration.ofMillis(20)),
            node,
            Duration.ofMillis(20),
            taken::incrementAndGet);
    byte[] key = Files.readAllBytes(files.key());
    Files.writeString(files.key(), "half");
    Await.until("they are rejected", node::rejects);
    Files.write(files.key(), key);
    Await.until("they are as before", () -> !node.rejects());
    assertEquals(0, taken.get());
    issuing.renew("n1");
    Await.until("they are taken", () -> taken.get() == 1);
    assertFalse(node.rejects());
    stop.run();
  }
}
