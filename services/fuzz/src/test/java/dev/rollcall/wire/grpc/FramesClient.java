package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.testkit.http2.FrameBytes;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.tls.TlsFiles;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Says to a server what a {@link FrameScript} has, and demands that the server answers somebody
 * else meanwhile, and afterwards holds nothing more for it.
 */
final class FramesClient implements AutoCloseable {
  /** How long a server that understands no more is waited for. */
  private static final long QUIET_MILLIS = 50;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String LOOPBACK = "127.0.0.1";
  private static final String ACK = "rollcall";
  private static final String HTTP_2 = "h2";

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final SocketAddress server;
  private final Optional<TlsFiles> tls;
  private final LongSupplier held;

  /**
   * @param server a path of a unix socket, or a port of loopback; behind it, if it is served with
   *     TLS, the directory of a {@link FuzzedPki}
   * @param held the bytes that the server's peers hold
   */
  FramesClient(String server, LongSupplier held) {
    int end = server.indexOf(' ');
    String where = end < 0 ? server : server.substring(0, end);
    this.server =
        where.startsWith("/")
            ? SocketAddress.domainSocketAddress(where)
            : SocketAddress.inetSocketAddress(Integer.parseInt(where), LOOPBACK);
    this.tls =
        end < 0
            ? Optional.empty()
            : Optional.of(new FuzzedPki(Path.of(server.substring(end + 1))).client());
    this.held = held;
  }

  void say(byte[] input) {
    FrameScript.Said said = FrameScript.read(input);
    NetClient net = vertx.createNetClient(options());
    var connections = new ArrayList<NetSocket>();
    var understood = new ArrayList<Future<?>>();
    for (Buffer bytes : said.connections()) {
      NetSocket socket = net.connect(server).await();
      tls.ifPresent(_ -> assertEquals(HTTP_2, socket.applicationLayerProtocol()));
      connections.add(socket);
      understood.add(write(socket, said.reads(), bytes));
    }
    Future.join(understood).otherwiseEmpty().await();
    assertNotEquals(Code.DEADLINE_EXCEEDED, ask(), "no answer while the connections are open");
    connections.forEach(NetSocket::close);
    net.close().await();
    settle();
  }

  private NetClientOptions options() {
    var options = new NetClientOptions();
    tls.ifPresent(files -> {
      files.identity().applyTo(options);
      options.setHostnameVerificationAlgorithm("").setApplicationLayerProtocols(List.of(HTTP_2));
    });
    return options;
  }

  /** Ends when the server has read what was written, has closed, or has long said nothing. */
  private Future<?> write(NetSocket socket, boolean reads, Buffer bytes) {
    Promise<Object> end = Promise.promise();
    socket.exceptionHandler(_ -> end.tryComplete());
    socket.closeHandler(_ -> end.tryComplete());
    vertx.setTimer(QUIET_MILLIS, _ -> end.tryComplete());
    if (reads) {
      var tail = new StringBuilder();
      socket.handler(answer -> {
        tail.append(answer.toString(StandardCharsets.ISO_8859_1));
        if (tail.indexOf(ACK) >= 0) {
          end.tryComplete();
        }
        tail.delete(0, Math.max(0, tail.length() - ACK.length()));
      });
    } else {
      socket.pause();
    }
    Buffer ping = Buffer.buffer().appendMedium(ACK.length()).appendByte((byte) FrameBytes.PING);
    ping.appendByte((byte) 0).appendInt(0).appendString(ACK);
    var _ = socket.write(bytes.copy().appendBuffer(ping));
    return end.future();
  }

  /** The connections are closed: soon everybody is answered, and nothing held. */
  private void settle() {
    Await.until("somebody else is answered", PATIENCE, () -> ask() == Code.OK);
    Await.until("nothing is held for nobody", PATIENCE, () -> held.getAsLong() == 0);
  }

  /** As those who are well-behaved do, on a connection of its own. */
  private Code ask() {
    GrpcChannel channel = channel();
    try {
      var _ =
          JobServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
              .list(ListRequest.getDefaultInstance());
      return Code.OK;
    } catch (StatusRuntimeException e) {
      return Status.fromThrowable(e).getCode();
    } finally {
      channel.close().await();
    }
  }

  private GrpcChannel channel() {
    return server.isDomainSocket()
        ? GrpcChannel.unix(vertx, Path.of(server.path()), KeepAlive.CALM)
        : GrpcChannel.tcp(
            vertx, LOOPBACK, server.port(), tls.map(TlsFiles::identity), KeepAlive.CALM);
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
