package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.tls.TlsFiles;
import io.grpc.Status;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListeningTest {
  @TempDir Path directory;

  private static ScriptedRoll service() {
    return new ScriptedRoll((_, _) -> {});
  }

  private static Status endOf(GrpcChannel channel) throws Exception {
    var recorder = new Recorder<ConnectRequest, ConnectResponse>();
    var _ = RollServiceGrpc.newStub(channel).connect(recorder);
    return recorder.end();
  }

  @Test
  void aPortInUseIsNamed() throws Exception {
    try (var rig = new Rig(Transport.TCP, directory, KeepAlive.CALM, service())) {
      var again =
          new GrpcServices(
              rig.serverVertx(),
              List.of(service().bindService()),
              KeepAlive.CALM,
              Optional.empty(),
              PeerBounds.wide());
      var failure =
          assertThrows(
              ExecutionException.class,
              () ->
                  Rig.await(
                      again.listenTcp(
                          "127.0.0.1", rig.port, Optional.empty(), Certificates.REQUIRED)));
      assertTrue(
          String.valueOf(failure.getMessage()).contains("cannot listen on 127.0.0.1:" + rig.port),
          failure.getMessage());
    }
  }

  @Test
  void theEventLoopsTakeTurnsWithAPortsConnections() throws Exception {
    Set<String> loops = ConcurrentHashMap.newKeySet();
    var service = new ScriptedRoll((_, _) -> loops.add(Thread.currentThread().getName()));
    Vertx vertx = VertxSettings.start(VertxSettings.busy().setEventLoopPoolSize(3));
    try (var rig = new Rig(Transport.TCP, directory, KeepAlive.CALM, service())) {
      int port;
      try (var free = new java.net.ServerSocket(0)) {
        port = free.getLocalPort();
      }
      var services =
          new GrpcServices(
              vertx,
              List.of(service.bindService()),
              KeepAlive.CALM,
              Optional.empty(),
              PeerBounds.wide());
      var listening =
          Rig.await(services.listenTcp("127.0.0.1", port, Optional.empty(), Certificates.REQUIRED));
      assertEquals(port, listening.port());
      for (int i = 0; i < 6; i++) {
        var recorder = new Recorder<ConnectRequest, ConnectResponse>();
        rig.connect(rig.channel(port, KeepAlive.CALM), recorder).onNext(Rig.hello("n" + i));
      }
      Await.until("three loops", () -> loops.size() == 3);

      Rig.await(listening.close());
      assertEquals(Status.Code.UNAVAILABLE, endOf(rig.channel(port, KeepAlive.CALM)).getCode());
    } finally {
      Rig.await(vertx.close());
    }
  }

  @Test
  void aUnixSocketHasItsModeAndGoesWithItsServer() throws Exception {
    try (var rig = new Rig(Transport.TCP, directory, KeepAlive.CALM, service())) {
      var services =
          new GrpcServices(
              rig.serverVertx(),
              List.of(service().bindService()),
              KeepAlive.CALM,
              Optional.empty(),
              PeerBounds.wide());
      Path socket = directory.resolve("mode.sock");
      var listening = Rig.await(services.listenUnix(socket, "rw-------"));
      assertEquals(
          "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
      Rig.await(listening.close());
      assertFalse(Files.exists(socket));
    }
  }

  @Test
  void aFileInPlaceOfASocketStays(@TempDir Path place) throws Exception {
    Path file = Files.writeString(place.resolve("agent.sock"), "text");
    var refused =
        assertThrows(IOException.class, () -> new SocketFile(file, "rw-rw-rw-").prepare());
    assertEquals(file + " exists and is not a socket", refused.getMessage());
    assertEquals("text", Files.readString(file));
  }

  @Test
  void aSocketFileThatNobodyAnswersIsReplaced() throws Exception {
    Path socket = directory.resolve("s.sock");
    try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    assertTrue(Files.exists(socket));
    try (var rig = new Rig(Transport.UNIX, directory, KeepAlive.CALM, service())) {
      var _ = rig.connect(rig.channel(), new Recorder<>());
    }
  }

  @Test
  void aSocketThatAnotherServerAnswersIsLeftAlone() throws Exception {
    try (var rig = new Rig(Transport.UNIX, directory, KeepAlive.CALM, service())) {
      var second =
          new GrpcServices(
              rig.serverVertx(),
              List.of(service().bindService()),
              KeepAlive.CALM,
              Optional.empty(),
              PeerBounds.wide());
      var failure =
          assertThrows(
              ExecutionException.class,
              () -> Rig.await(second.listenUnix(directory.resolve("s.sock"), "rw-rw-rw-")));
      assertTrue(
          String.valueOf(failure.getMessage()).contains("another process listens on"),
          failure.getMessage());
      var _ = rig.connect(rig.channel(), new Recorder<>());
    }
  }

  @Test
  void aServerThatIsNotThereIsNamedWithTheCause() throws Exception {
    try (var rig = new Rig(Transport.TCP, directory, KeepAlive.CALM, service())) {
      int nobody;
      try (var socket = new java.net.ServerSocket(0)) {
        nobody = socket.getLocalPort();
      }
      Status end = endOf(rig.channel(nobody, KeepAlive.CALM));
      assertEquals(Status.Code.UNAVAILABLE, end.getCode());
      String text = String.valueOf(end.getDescription());
      assertTrue(text.contains("127.0.0.1:" + nobody) && text.contains("refused"), text);
    }
  }

  @Test
  void aDeadlineAlsoBoundsAServerThatNeverAnswersTheConnection() throws Exception {
    try (var rig = new Rig(Transport.TCP, directory, KeepAlive.CALM, service());
        var mute = new java.net.ServerSocket(0)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      var _ =
          RollServiceGrpc.newStub(rig.channel(mute.getLocalPort(), KeepAlive.CALM))
              .withDeadlineAfter(200, TimeUnit.MILLISECONDS)
              .connect(recorder);
      assertEquals(Status.Code.DEADLINE_EXCEEDED, recorder.end().getCode());
    }
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefusedOnBothSides() throws Exception {
    Path elsewhere = directory.resolve("elsewhere");
    var other = new TestPki(elsewhere);
    other.issue("client", "IP:10.77.0.1");
    TlsFiles stranger = TestPki.filesIn(elsewhere, "client");
    Path here = directory.resolve("here");
    try (var rig = new Rig(Transport.TLS, here, KeepAlive.CALM, service())) {
      GrpcChannel distrusting =
          GrpcChannel.tcp(
              rig.clientVertx(),
              "127.0.0.1",
              rig.port,
              Optional.of(stranger.identity()),
              KeepAlive.CALM);
      assertEquals(Status.Code.UNAVAILABLE, endOf(distrusting).getCode());

      TlsFiles known = TestPki.filesIn(here, "client");
      var distrusted = new TlsFiles(known.ca(), stranger.certificate(), stranger.key());
      GrpcChannel unknown =
          GrpcChannel.tcp(
              rig.clientVertx(),
              "127.0.0.1",
              rig.port,
              Optional.of(distrusted.identity()),
              KeepAlive.CALM);
      assertEquals(Status.Code.UNAVAILABLE, endOf(unknown).getCode());

      GrpcChannel clear =
          GrpcChannel.tcp(
              rig.clientVertx(), "127.0.0.1", rig.port, Optional.empty(), KeepAlive.CALM);
      assertEquals(Status.Code.UNAVAILABLE, endOf(clear).getCode());
    }
  }

  @Test
  void aServerWhoseCertificateNamesAnotherHostIsRefused() throws Exception {
    try (var rig = new Rig(Transport.TLS, directory, KeepAlive.CALM, service())) {
      GrpcChannel byName =
          GrpcChannel.tcp(
              rig.clientVertx(),
              "localhost",
              rig.port,
              Optional.of(TestPki.filesIn(directory, "client").identity()),
              KeepAlive.CALM);
      assertEquals(Status.Code.UNAVAILABLE, endOf(byName).getCode());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.77.0.2", "0.0.0.0", "::", "gate1", "127.0.0.1.example"})
  void inClearOnlyLoopbackIsListenedOnAndCalled(String host) throws Exception {
    try (var rig = new Rig(Transport.TCP, directory, KeepAlive.CALM, service())) {
      var services =
          new GrpcServices(
              rig.serverVertx(),
              List.of(service().bindService()),
              KeepAlive.CALM,
              Optional.empty(),
              PeerBounds.wide());
      for (Executable clear :
          List.<Executable>of(
              () -> services.listenTcp(host, 7450, Optional.empty(), Certificates.REQUIRED),
              () ->
                  GrpcChannel.tcp(
                      rig.clientVertx(), host, 7450, Optional.empty(), KeepAlive.CALM))) {
        var refused = assertThrows(IllegalArgumentException.class, clear);
        assertEquals(
            host + " port 7450 is not on loopback, so TLS is required", refused.getMessage());
      }
    }
  }

  @Test
  void aTlsFileThatIsNotThereIsNamed() {
    var files =
        new TlsFiles(directory.resolve("a"), directory.resolve("b"), directory.resolve("c"));
    var failure = assertThrows(IllegalArgumentException.class, files::identity);
    assertTrue(String.valueOf(failure.getMessage()).contains(directory.resolve("a").toString()));
  }
}
