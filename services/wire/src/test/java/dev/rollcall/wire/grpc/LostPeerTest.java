package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LostPeerTest {
  private static final KeepAlive QUICK =
      new KeepAlive(Duration.ofMillis(100), Duration.ofMillis(300));

  /** Only after twice that time would a ping without an answer end a calm connection. */
  private static final Duration SOON = KeepAlive.CALM.every();

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void aClientThatIsKilledCancelsItsCallWithoutAPing(Transport transport) throws Exception {
    var service = new ScriptedRoll((_, _) -> {});
    try (var rig = new Rig(transport, directory, KeepAlive.CALM, service);
        var client = OtherProcess.start("client", transport, directory, rig.port)) {
      assertEquals("connected true", client.ready);
      client.killNow();
      service.contextEnded.get(SOON.toSeconds(), TimeUnit.SECONDS);
      service.cancelled.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsKilledEndsTheCallWithoutAPing(Transport transport) throws Exception {
    var idle = new ScriptedRoll((_, _) -> {});
    Path there = Files.createDirectories(directory.resolve("there"));
    if (transport == Transport.TLS) {
      var pki = new TestPki(there);
      pki.issue("server", "IP:127.0.0.1");
      pki.issue("client", "IP:10.77.0.1");
    }
    try (var server = OtherProcess.start("server", transport, there, 0);
        var rig = new Rig(transport, directory, KeepAlive.CALM, idle)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      GrpcChannel channel =
          transport.open(rig.clientVertx(), there, Integer.parseInt(server.ready), KeepAlive.CALM);
      var requests = rig.connect(channel, recorder);
      requests.onNext(Rig.hello("node1"));
      long before = System.nanoTime();
      server.killNow();
      Status end = recorder.end();
      assertEquals(Status.Code.UNAVAILABLE, end.getCode(), end.toString());
      assertTrue(
          String.valueOf(end.getDescription()).contains(channel.authority()), end.toString());
      assertTrue(System.nanoTime() - before < SOON.toNanos());
      Rig.await(channel.close());
    }
  }

  @Test
  @Timeout(30)
  void aPeerWhosePacketsVanishIsNoticedByBothSides() throws Exception {
    var service = new ScriptedRoll((_, _) -> {});
    try (var rig = new Rig(Transport.TCP, directory, QUICK, service);
        var relay = new Relay(rig.port)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      var requests = rig.connect(rig.channel(relay.port(), QUICK), recorder);
      requests.onNext(Rig.hello("node1"));
      relay.swallow();
      service.contextEnded.get(5, TimeUnit.SECONDS);
      Status end = recorder.end();
      assertEquals(Status.Code.UNAVAILABLE, end.getCode(), end.toString());
    }
  }

  @Test
  @Timeout(30)
  void aStreamThatIsQuietButAliveStays() throws Exception {
    var service = new ScriptedRoll((event, stream) -> stream.onCompleted());
    var quick = new KeepAlive(Duration.ofMillis(50), Duration.ofSeconds(1));
    try (var rig = new Rig(Transport.TCP, directory, quick, service)) {
      var recorder = new Recorder<ConnectRequest, ConnectResponse>();
      var requests = rig.connect(rig.channel(rig.port, quick), recorder);
      // Well over every bound of this keep-alive.
      boolean ended =
          service
              .contextEnded
              .handle((_, _) -> true)
              .completeOnTimeout(false, 3, TimeUnit.SECONDS)
              .get(10, TimeUnit.SECONDS);
      assertEquals(false, ended);
      requests.onNext(Rig.hello("node1"));
      assertEquals(Status.Code.OK, recorder.end().getCode());
    }
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(30)
  void aConnectionThatSaysNothingIsClosed(Transport transport) throws Exception {
    try (var rig = new Rig(transport, directory, QUICK, new ScriptedRoll((_, _) -> {}));
        var silent = connect(rig)) {
      assertEquals(-1, readToEnd(silent));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(30)
  void aConnectionThatSaysGarbageIsClosed(Transport transport) throws Exception {
    try (var rig = new Rig(transport, directory, QUICK, new ScriptedRoll((_, _) -> {}));
        var loud = connect(rig)) {
      loud.write(
          ByteBuffer.wrap("\0\1\2garbage\r\n\r\n".repeat(50).getBytes(StandardCharsets.UTF_8)));
      assertEquals(-1, readToEnd(loud));
    }
  }

  private static SocketChannel connect(Rig rig) throws java.io.IOException {
    if (rig.transport == Transport.UNIX) {
      var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      channel.connect(UnixDomainSocketAddress.of(rig.directory.resolve("s.sock")));
      return channel;
    }
    return SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port));
  }

  private static int readToEnd(SocketChannel channel) {
    var buffer = ByteBuffer.allocate(4096);
    try {
      while (channel.read(buffer.clear()) >= 0) {
        // A server may say what is wrong before it closes.
      }
      return -1;
    } catch (java.io.IOException e) {
      return -1; // reset: closed all the same
    }
  }
}
