package dev.rollcall.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that sends request after request and does not read the answers. */
@Timeout(120)
class UnreadAnswersTest {
  private static final int REQUESTS = 4_000;
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** So large that the sockets on both ends hold a part of them alone. */
  private static final byte[] REQUEST =
      ("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(7_000) + "\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII);

  @Test
  void pipelinedRequestsWaitForTheAnswersBefore() throws Exception {
    try (var served = new ServedApi();
        var client =
            SocketChannel.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), served.port()))) {
      var taken = new AtomicInteger();
      CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(client, taken));
      Await.until("the server takes no more requests", () -> quiet(taken) || writing.isDone());
      assertTrue(taken.get() < REQUESTS, "all requests were taken, and no answer was read");
      // Nothing is lost: what waited is answered once the client reads.
      assertEquals(REQUESTS, answers(client));
      writing.get(60, TimeUnit.SECONDS);
    }
  }

  private static void write(SocketChannel client, AtomicInteger taken) {
    try {
      for (int i = 0; i < REQUESTS; i++) {
        for (var request = ByteBuffer.wrap(REQUEST); request.hasRemaining(); ) {
          var _ = client.write(request);
        }
        taken.incrementAndGet();
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private final AtomicInteger before = new AtomicInteger();
  private final AtomicLong since = new AtomicLong(System.nanoTime());

  private boolean quiet(AtomicInteger taken) {
    int now = taken.get();
    if (before.getAndSet(now) != now || now == 0) {
      since.set(System.nanoTime());
    }
    return System.nanoTime() - since.get() > QUIET_NANOS;
  }

  /** How many there are, by the first line of each. */
  private static int answers(SocketChannel client) throws IOException {
    byte[] line = "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII);
    var buffer = ByteBuffer.allocate(1 << 20);
    int found = 0;
    int matched = 0;
    while (found < REQUESTS && client.read(buffer.clear()) >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        matched = next == line[matched] ? matched + 1 : next == line[0] ? 1 : 0;
        if (matched == line.length) {
          found++;
          matched = 0;
        }
      }
    }
    return found;
  }
}
