package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.testkit.http2.FrameBytes;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.GrpcServices.Listening;
import dev.rollcall.wire.memory.MemoryBudget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of HTTP/2 by a client that accepts no data of an answer. */
class RequestsWithoutWindowTest {
  private static final int REQUESTS = 20;
  private static final int ADMITTED = 2;
  private static final int INITIAL_WINDOW_SIZE = 4;

  /** Flags and stream. */
  private static final int REST_OF_HEAD = 5;

  private static final int WITHIN_MILLIS = 20_000;

  private final Vertx vertx = VertxSettings.start(new VertxOptions().setEventLoopPoolSize(1));

  @AfterEach
  void close() {
    vertx.close().await();
  }

  /** There is room for the connection and two requests. */
  @Test
  void aRequestOfAPageOfAnotherSiteCountsUntilItsAnswerIsRead() throws IOException {
    Listening server = serve(20 << 10);
    try (var client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      client.setSoTimeout(WITHIN_MILLIS);
      client.getOutputStream().write(requests());
      List<Integer> answers = answers(client);
      assertEquals(ADMITTED, Collections.frequency(answers, FrameBytes.HEADERS), answers::toString);
      assertEquals(
          REQUESTS - ADMITTED,
          Collections.frequency(answers, FrameBytes.RST_STREAM),
          answers::toString);
    } finally {
      server.close().await();
    }
  }

  private Listening serve(long budget) {
    var memory = new MemoryBudget(budget, budget, new SimpleMeterRegistry());
    var bounds = new PeerBounds(memory, (_, _) -> 1, Peer::account, _ -> Optional.of("no"));
    return new GrpcServices(vertx, List.of(), KeepAlive.RARE, Optional.empty(), bounds)
        .listenTcp("127.0.0.1", 0, Optional.empty(), Certificates.REQUIRED)
        .await();
  }

  private static byte[] requests() {
    Buffer block =
        FrameBytes.fields(
            List.of(
                Map.entry(":method", "POST"),
                Map.entry(":scheme", "http"),
                Map.entry(":path", "/rollcall.v1.JobService/List"),
                Map.entry(":authority", "localhost"),
                Map.entry("content-type", "application/grpc")));
    Buffer noWindow = Buffer.buffer().appendShort((short) INITIAL_WINDOW_SIZE).appendInt(0);
    var written = new FrameBytes().frame(FrameBytes.SETTINGS, 0, 0, noWindow);
    for (int stream = 1; stream < 2 * REQUESTS; stream += 2) {
      written.frame(FrameBytes.HEADERS, FrameBytes.END_HEADERS, stream, block);
    }
    return written.written().getBytes();
  }

  /** The types of the frames that answer the requests. */
  private static List<Integer> answers(Socket client) throws IOException {
    var in = new DataInputStream(client.getInputStream());
    var answers = new ArrayList<Integer>();
    while (answers.size() < REQUESTS) {
      int length = in.readUnsignedShort() << Byte.SIZE | in.readUnsignedByte();
      int type = in.readUnsignedByte();
      in.skipNBytes(length + REST_OF_HEAD);
      if (type == FrameBytes.HEADERS || type == FrameBytes.RST_STREAM) {
        answers.add(type);
      }
    }
    return answers;
  }
}
