package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import io.grpc.Status;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a server on ::1 only, as a gateway that has no address of IPv4. */
class ServerHttpClientTest {
  @TempDir Path directory;
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private int port;

  @BeforeEach
  void listen() throws Exception {
    var pki = new TestPki(directory);
    pki.issue("server", "IP:::1,DNS:gate.test");
    pki.issue("client", "URI:rollcall://alps/node/node1");
    var services =
        new GrpcServices(
            vertx,
            List.of(new ScriptedRoll((_, _) -> {}).bindService()),
            KeepAlive.CALM,
            Optional.empty(),
            PeerBounds.wide());
    port =
        Rig.await(
                services.listenTcp(
                    "::1",
                    0,
                    Optional.of(TestPki.filesIn(directory, "server").identity()),
                    Certificates.REQUIRED))
            .port();
  }

  @AfterEach
  void close() throws Exception {
    Rig.await(vertx.close());
  }

  private GrpcChannel to(String host) {
    return GrpcChannel.tcp(
        vertx,
        host,
        port,
        Optional.of(TestPki.filesIn(directory, "client").identity()),
        KeepAlive.CALM);
  }

  private static Status failure(GrpcChannel channel) throws Exception {
    var recorder = new Recorder<ConnectRequest, ConnectResponse>();
    var _ =
        RollServiceGrpc.newStub(channel).withDeadlineAfter(10, TimeUnit.SECONDS).connect(recorder);
    return recorder.end();
  }

  private static void assertConnects(GrpcChannel channel) throws Exception {
    var recorder = new Recorder<ConnectRequest, ConnectResponse>();
    var requests = RollServiceGrpc.newStub(channel).connect(recorder);
    requests.onCompleted();
    assertEquals(Status.OK, recorder.end());
  }

  private static void assertTold(String part, Status status) {
    String text = String.valueOf(status.getDescription());
    assertTrue(status.getCode() == Status.Code.UNAVAILABLE && text.contains(part), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"::1", "0:0:0:0:0:0:0:1"})
  void anAddressOfIpv6IsConnected(String literal) throws Exception {
    assertConnects(to(literal));
    assertEquals("[" + literal + "]:" + port, to(literal).authority());
  }

  @Test
  void aNameIsLookedUpForEachAttempt() throws Exception {
    GrpcChannel channel = to("gate.test");
    NamesOfTests.set("gate.test");
    assertTold("gate.test: Name or service not known", failure(channel));
    NamesOfTests.set("gate.test", "127.0.0.9");
    assertTold("refused", failure(channel));
    NamesOfTests.set("gate.test", "::1");
    assertConnects(channel);
  }

  @Test
  void eachAddressOfANameIsTried() throws Exception {
    NamesOfTests.set("gate.test", "127.0.0.9", "::1");
    assertConnects(to("gate.test"));
    NamesOfTests.set("gate.test", "127.0.0.9", "127.0.0.10");
    assertTold(
        "127.0.0.9: Connection refused; 127.0.0.10: Connection refused", failure(to("gate.test")));
  }

  @Test
  void aNameThatIsConnectedIsNotLookedUp() throws Exception {
    NamesOfTests.set("gate.test", "::1");
    GrpcChannel channel = to("gate.test");
    assertConnects(channel);
    NamesOfTests.set("gate.test");
    assertConnects(channel);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fe80::1%nosuch0", "two words", "a/b", "nosuch.test"})
  void whatCannotBeAnAddressEndsTheCall(String host) throws Exception {
    assertTold(host, failure(to(host)));
  }
}
