package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcceptRateTest {
  private static final int DEADLINE_MILLIS = 60_000;
  private static final int HELLO = 'h';

  private static final Duration SHORT = Duration.ofMillis(500);

  private final List<Vertx> started = new ArrayList<>();
  private final List<Socket> open = new ArrayList<>();
  private final Set<Integer> served = new ConcurrentSkipListSet<>();
  private final CountDownLatch work = new CountDownLatch(1);
  private int port;

  /** Says a byte to everybody, but the only event loop is at work until the latch is down. */
  private void listen(Duration longest) throws InterruptedException {
    Vertx vertx =
        Vertx.builder()
            .with(VertxSettings.quiet())
            .withTransport(new BoundedTransport(longest))
            .build();
    started.add(vertx);
    NetServer server =
        vertx
            .createNetServer()
            .connectHandler(socket -> {
              served.add(socket.remoteAddress().port());
              socket.write("h");
            });
    port = server.listen(0, "127.0.0.1").await().actualPort();
    var atWork = new CountDownLatch(1);
    vertx.runOnContext(_ -> {
      atWork.countDown();
      try {
        assertTrue(work.await(DEADLINE_MILLIS, TimeUnit.MILLISECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    assertTrue(atWork.await(DEADLINE_MILLIS, TimeUnit.MILLISECONDS));
  }

  @AfterEach
  void close() throws IOException {
    work.countDown();
    for (Socket socket : open) {
      socket.close();
    }
    started.forEach(vertx -> vertx.close().await());
  }

  private Socket connect() throws IOException {
    var socket = new Socket();
    open.add(socket);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), DEADLINE_MILLIS);
    socket.setSoTimeout(DEADLINE_MILLIS);
    return socket;
  }

  private List<Socket> crowd() throws IOException {
    var crowd = new ArrayList<Socket>();
    for (int i = 0; i < AcceptRate.AT_ONCE; i++) {
      crowd.add(connect());
    }
    return crowd;
  }

  private static int said(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException reset) {
      return -1;
    }
  }

  @Test
  void whoWaitedForLongIsGivenUpAndTheNextIsServed() throws Exception {
    listen(SHORT);
    List<Socket> crowd = crowd();
    Socket late = connect();
    Thread.sleep(SHORT.plusMillis(100));
    work.countDown();
    for (Socket each : crowd) {
      assertEquals(HELLO, said(each));
    }
    assertEquals(-1, said(late));
    assertEquals(HELLO, said(connect()));
  }

  @Test
  void whoHasGoneIsNotServedAndOthersAre() throws Exception {
    listen(AcceptRate.LONGEST);
    crowd();
    Socket gone = connect();
    int port = gone.getLocalPort();
    gone.close();
    Socket waiting = connect();
    work.countDown();
    assertEquals(HELLO, said(waiting));
    assertTrue(served.contains(waiting.getLocalPort()));
    assertFalse(served.contains(port));
  }

  @Test
  void aCrowdLargerThanWhatIsTakenAtOnceIsServed() throws Exception {
    listen(AcceptRate.LONGEST);
    List<Socket> crowd = crowd();
    for (int i = 0; i < 10; i++) {
      crowd.addAll(crowd());
    }
    work.countDown();
    for (Socket each : crowd) {
      assertEquals(HELLO, said(each));
    }
  }
}
