package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.limit.BoundedTransport;
import dev.rollcall.wire.grpc.limit.UnauthenticatedConnectionLimit;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections without a certificate, where certificates are requested and not required. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UncertifiedPeersTest {
  private static final int DEADLINE_MILLIS = 60_000;

  @TempDir private Path directory;
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final List<Socket> open = new ArrayList<>();
  private int port;

  /** Recognises whoever has a token in the header. */
  private static final class Recognising implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      if (BearerToken.in(headers).isPresent()
          && Peer.current() instanceof Peer.Uncertified stranger
          && !stranger.recognised().test(new Peer.User(2_001))) {
        throw Status.RESOURCE_EXHAUSTED.asRuntimeException();
      }
      return next.startCall(call, headers);
    }
  }

  private static final class Identifying extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    @Override
    public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> answer) {
      answer.onNext(IdentifyResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }

  @BeforeEach
  void listen() throws Exception {
    new TestPki(directory).issue("server", "IP:127.0.0.1");
    BindableService service =
        () -> ServerInterceptors.intercept(new Identifying(), new Recognising());
    var services =
        new GrpcServices(
            vertx,
            List.of(service.bindService()),
            KeepAlive.CALM,
            Optional.empty(),
            PeerBounds.wide());
    port =
        services
            .listenTcp(
                "127.0.0.1",
                0,
                Optional.of(TestPki.filesIn(directory, "server").identity()),
                GrpcServices.Certificates.REQUESTED)
            .await()
            .port();
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    vertx.close().await();
  }

  @Test
  void ofACrowdTheOldestGoesAndTheOthersAfterAWhile() throws Exception {
    var sockets = new ArrayList<SSLSocket>();
    for (int i = 0; i <= UnauthenticatedConnectionLimit.MOST_OF_AN_ADDRESS; i++) {
      sockets.add(connect("TLSv1.3"));
    }
    for (SSLSocket socket : sockets) {
      assertEquals(-1, readToEnd(socket));
    }
  }

  /**
   * As the agent of a node whose user floods the gateway: it has the same address. The light
   * variant is in UnauthenticatedConnectionLimitTest.
   */
  @Test
  @Tag("full")
  void aHandshakeEndsWhileAFloodComesFromTheSameAddress() throws Exception {
    var over = new AtomicBoolean();
    var made = new AtomicInteger();
    Thread flood = Thread.ofPlatform().start(() -> flood(over, made));
    try {
      Await.until("the flood is on", () -> made.get() > 1_000);
      for (int i = 0; i < 50; i++) {
        connect("TLSv1.3").close();
      }
    } finally {
      over.set(true);
      flood.join();
    }
  }

  /** Opens connections as fast as it can, and keeps the last 600. */
  private void flood(AtomicBoolean over, AtomicInteger made) {
    var mine = new ArrayDeque<SocketChannel>();
    try {
      while (!over.get()) {
        SocketChannel socket = SocketChannel.open();
        socket.configureBlocking(false);
        // No TIME_WAIT: else the ports are soon used up.
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        mine.add(socket);
        made.incrementAndGet();
        if (mine.size() > 600) {
          mine.remove().close();
        }
      }
      for (SocketChannel socket : mine) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void oneThatIsRecognisedStays() throws Exception {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setSsl(true)
                .setUseAlpn(true)
                .setTrustAll(true)
                .setVerifyHost(false));
    HttpConnection first = ask(client, "a token");
    SSLSocket stranger = connect("TLSv1.3");
    // It came after the other one, which has had its time when this has.
    assertEquals(-1, readToEnd(stranger));
    assertEquals(first, ask(client, "a token"));
    client.shutdown(0, TimeUnit.SECONDS).await();
  }

  @Test
  void thousandsOfChangesOfKeysEndTheConnection() throws Exception {
    SSLSocket socket = connect("TLSv1.3");
    assertThrows(
        IOException.class,
        () -> {
          for (int i = 0; i < 10_000; i++) {
            socket.startHandshake();
          }
        });
    assertEquals(1, transport().endedForFrames());
  }

  @Test
  void aRequestInManySmallRecordsIsAnswered() throws Exception {
    SSLSocket socket = connect("TLSv1.3");
    String request =
        "GET / HTTP/1.1\r\nhost: localhost\r\nx: %s\r\n\r\n".formatted("y".repeat(500));
    for (byte each : request.getBytes(StandardCharsets.US_ASCII)) {
      socket.getOutputStream().write(each);
    }
    assertEquals('H', socket.getInputStream().read());
  }

  @Test
  void olderTlsIsRefused() {
    assertThrows(SSLHandshakeException.class, () -> connect("TLSv1.2"));
  }

  private HttpConnection ask(HttpClient client, String token) {
    return client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI("/" + CallerIdServiceGrpc.getIdentifyMethod().getFullMethodName())
                .setHeaders(
                    MultiMap.caseInsensitiveMultiMap()
                        .add("content-type", "application/grpc")
                        .add("authorization", BearerToken.header(token))))
        .compose(request ->
            request
                .send(Buffer.buffer(new byte[5]))
                .compose(response -> response.end().map(_ -> request.connection())))
        .await();
  }

  private BoundedTransport.Epoll transport() {
    return (BoundedTransport.Epoll) ((VertxInternal) vertx).transport();
  }

  private SSLSocket connect(String protocol) throws IOException, GeneralSecurityException {
    SSLContext anybody = SSLContext.getInstance("TLS");
    anybody.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
    var socket =
        (SSLSocket) anybody.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    open.add(socket);
    socket.setSoTimeout(DEADLINE_MILLIS);
    socket.setEnabledProtocols(new String[] {protocol});
    socket.startHandshake();
    return socket;
  }

  private static int readToEnd(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {
        // A server may say something before it closes.
      }
      return -1;
    } catch (java.net.SocketTimeoutException e) {
      return 0;
    } catch (IOException e) {
      return -1; // reset: closed all the same
    }
  }

  private static final class Trusting implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
