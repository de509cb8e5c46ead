package dev.rollcall.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that sends request after request and does not read the answers. */
@Timeout(120)
class UnreadAnswersTest {
  /** Netty's: so many requests of HTTP/1.1 may be unanswered on one connection. */
  private static final int MOST_UNANSWERED = 128;

  /** 51 MB, more than the sockets on both ends hold: net.ipv4.tcp_rmem and tcp_wmem. */
  private static final int REQUESTS = 1_000_000;

  private static final byte[] REQUEST =
      "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @Test
  void requestsThatWaitOnOneConnectionAreAllAnswered() throws Exception {
    try (var served = served();
        var client = connected(served)) {
      write(client, MOST_UNANSWERED, new AtomicInteger());
      assertEquals(MOST_UNANSWERED, answers(client, MOST_UNANSWERED));
    }
  }

  @Test
  void aConnectionWithMoreThanThatEnds() throws Exception {
    try (var served = served();
        var client = connected(served)) {
      var taken = new AtomicInteger();
      assertThrows(IOException.class, () -> write(client, REQUESTS, taken));
      assertTrue(taken.get() > MOST_UNANSWERED, "it ended after " + taken);
      // Others are answered.
      assertEquals(200, served.get("/openapi.json").statusCode());
    }
  }

  private static ServedApi served() {
    return new ServedApi(new CallerIdServiceGrpc.CallerIdServiceImplBase() {});
  }

  private static SocketChannel connected(ServedApi served) throws IOException {
    return SocketChannel.open(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), served.port()));
  }

  private static void write(SocketChannel client, int requests, AtomicInteger taken)
      throws IOException {
    for (int i = 0; i < requests; i++) {
      for (var request = ByteBuffer.wrap(REQUEST); request.hasRemaining(); ) {
        var _ = client.write(request);
      }
      taken.incrementAndGet();
    }
  }

  /** How many there are, by the first line of each. */
  private static int answers(SocketChannel client, int expected) throws IOException {
    byte[] line = "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII);
    var buffer = ByteBuffer.allocate(1 << 20);
    int found = 0;
    int matched = 0;
    while (found < expected && client.read(buffer.clear()) >= 0) {
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
