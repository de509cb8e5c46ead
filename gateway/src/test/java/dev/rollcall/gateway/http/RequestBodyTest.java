package dev.rollcall.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.Refusal;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bodies that come late, are large, or are many. */
@Timeout(120)
class RequestBodyTest {
  /** What connections and their last requests hold. */
  private static final long FEW = 64 << 10;

  private static final String ONE = "/v1/callers:identify";
  private static final String MANY = "/v1/callers:identifyMany";

  /** Says nothing but that it was asked. */
  private static final class Service extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    @Override
    public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> client) {
      client.onNext(IdentifyResponse.getDefaultInstance());
      client.onCompleted();
    }

    @Override
    public StreamObserver<IdentifyManyRequest> identifyMany(
        StreamObserver<IdentifyManyResponse> client) {
      return new StreamObserver<>() {
        @Override
        public void onNext(IdentifyManyRequest request) {}

        @Override
        public void onError(Throwable cause) {}

        @Override
        public void onCompleted() {
          client.onCompleted();
        }
      };
    }
  }

  /** As who asks is not known. */
  private static final class Refusing implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      throw Refusal.of(Refusal.Reason.NOT_IDENTIFIED, "nobody knows you").exception();
    }
  }

  @Test
  void whoIsNotKnownIsRefusedByTheHeadersAlone() throws Exception {
    var service = ServerInterceptors.intercept(new Service().bindService(), new Refusing());
    try (var served = new ServedApi(List.of(service));
        var client = new HttpClientSocket(served.port())) {
      client.post(ONE, "content-length: 60000");
      assertEquals("HTTP/1.1 401 Unauthorized", client.status());
      assertTrue(served.memory.held() < FEW);
      // And if they go on, so is their connection.
      assertTrue(client.ends());
    }
  }

  @Test
  void aClientThatExpectsToBeAskedForItsBodyIsAskedIfItIsKnown() throws Exception {
    String expects = "expect: 100-continue\r\ncontent-length: ";
    try (var served = new ServedApi(new Service());
        var client = new HttpClientSocket(served.port());
        var large = new HttpClientSocket(served.port())) {
      client.post(ONE, expects + "2");
      assertEquals("HTTP/1.1 100 Continue", client.status());
      assertEquals("", client.status());
      client.send("{}");
      assertEquals("HTTP/1.1 200 OK", client.status());
      large.post(ONE, expects + "65537");
      assertEquals("HTTP/1.1 413 Request Entity Too Large", large.status());
    }
    var service = ServerInterceptors.intercept(new Service().bindService(), new Refusing());
    try (var served = new ServedApi(List.of(service));
        var client = new HttpClientSocket(served.port())) {
      client.post(ONE, expects + "2");
      assertEquals("HTTP/1.1 401 Unauthorized", client.status());
    }
  }

  @Test
  void theirBodyIsDroppedAsItComesAndEndsTheConnectionIfItIsLong() throws Exception {
    var service = ServerInterceptors.intercept(new Service().bindService(), new Refusing());
    try (var served = new ServedApi(List.of(service));
        var client = new HttpClientSocket(served.port())) {
      client.post(MANY, "transfer-encoding: chunked");
      assertEquals("HTTP/1.1 401 Unauthorized", client.status());
      client.send("20000\r\n" + "x".repeat(0x20000));
      assertTrue(client.ends());
      assertTrue(served.memory.held() < FEW);
    }
  }

  @Test
  void theAnswerComesToAClientThatSendsAllOfItsBodyFirst() throws Exception {
    try (var served = new ServedApi(new Service());
        var client = new HttpClientSocket(served.port())) {
      client.post(ONE, "content-length: " + (4 << 20)).send(" ".repeat(4 << 20));
      assertEquals("HTTP/1.1 413 Request Entity Too Large", client.status());
    }
  }

  @Test
  void aMethodOfOneMessageTakes64KibAndOneOfManyAMib() throws Exception {
    try (var served = new ServedApi(new Service())) {
      for (var header : List.of("content-length: 65537", "transfer-encoding: chunked")) {
        try (var client = new HttpClientSocket(served.port())) {
          client.post(ONE, header).send("10001\r\n" + " ".repeat(0x10001));
          assertEquals("HTTP/1.1 413 Request Entity Too Large", client.status());
        }
      }
      try (var client = new HttpClientSocket(served.port())) {
        client.post(ONE, "content-length: 65536").send(" ".repeat(65_536));
        assertEquals("HTTP/1.1 200 OK", client.status());
      }
      try (var client = new HttpClientSocket(served.port())) {
        client.post(MANY, "content-length: 1000000").send(" ".repeat(1_000_000));
        assertEquals("HTTP/1.1 200 OK", client.status());
      }
      Await.until("nothing is held any more", () -> served.memory.held() < FEW);
    }
  }

  /** Counts messages, in all and until another task of its event loop has run; does not answer. */
  private static final class Counting extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    final AtomicInteger messages = new AtomicInteger();
    final AtomicInteger mostInATurn = new AtomicInteger();
    private int inThisTurn;
    private boolean saidAll;

    @Override
    public StreamObserver<IdentifyManyRequest> identifyMany(
        StreamObserver<IdentifyManyResponse> client) {
      anotherTask();
      return new StreamObserver<>() {
        @Override
        public void onNext(IdentifyManyRequest request) {
          inThisTurn++;
          mostInATurn.accumulateAndGet(inThisTurn, Math::max);
          messages.incrementAndGet();
        }

        @Override
        public void onError(Throwable cause) {}

        @Override
        public void onCompleted() {
          saidAll = true;
        }
      };
    }

    /** Again and again: a task that is told to the loop runs after those that were there before. */
    private void anotherTask() {
      inThisTurn = 0;
      if (!saidAll) {
        Vertx.currentContext().runOnContext(_ -> anotherTask());
      }
    }
  }

  @Test
  @SuppressWarnings("try") // the client goes before its server
  void aBodyOfManyLinesCountsUntilItsEndAndOthersRunBetweenItsLines() throws Exception {
    int lines = 333_333;
    var service = new Counting();
    try (var served = new ServedApi(service);
        var client = new HttpClientSocket(served.port())) {
      client.post(MANY, "content-length: " + lines * 3).send("{}\n".repeat(lines));
      Await.until("all have come", () -> service.messages.get() == lines);
      assertEquals(64, service.mostInATurn.get());
      assertTrue(served.memory.held() >= lines * 3L);
      client.close();
      Await.until("nothing is held any more", () -> served.memory.held() < FEW);
    }
  }

  /** The answer to many messages begins before their body is there. */
  @Test
  @Tag("full") // ten seconds
  void aBodyThatComesTooLateEndsAnAnswerThatHasBegun() throws Exception {
    try (var served = new ServedApi(new Service());
        var client = new HttpClientSocket(served.port())) {
      client.post(MANY, "content-length: 100").send("{}\n");
      assertEquals("HTTP/1.1 200 OK", client.status());
      assertTrue(client.ends());
    }
  }

  @Test
  void aLineIsNoLongerThanABodyOfOneMessage() throws Exception {
    String line = "{" + " ".repeat(65_534) + "}";
    try (var served = new ServedApi(new Service());
        var client = new HttpClientSocket(served.port());
        var longer = new HttpClientSocket(served.port())) {
      client.post(MANY, "content-length: 65536").send(line);
      assertEquals("HTTP/1.1 200 OK", client.status());
      longer.post(MANY, "content-length: 65537").send(" " + line);
      assertEquals("HTTP/1.1 400 Bad Request", longer.status());
    }
  }

  @Test
  void bodiesOfOneClientAreBoundedTogetherByTheirHeaders() throws Exception {
    var clients = new ArrayList<HttpClientSocket>();
    try (var served = new ServedApi(new Service())) {
      for (int i = 0; i < 8; i++) {
        var client = new HttpClientSocket(served.port()).post(MANY, "content-length: 300000");
        clients.add(client);
        if (i < 3) {
          long held = (i + 1) * 300_000L;
          Await.until(
              "its body is counted", () -> served.memory.held() / 100_000 == held / 100_000);
        } else {
          assertEquals("HTTP/1.1 429 Too Many Requests", client.status());
        }
      }
      assertTrue(served.memory.held() < 1_000_000);
      for (var client : clients) {
        client.close();
      }
      Await.until("nothing is held any more", () -> served.memory.held() < FEW);
    }
  }

  @Test
  void aBodyWithoutALengthIsCountedAsItComes() throws Exception {
    try (var served = new ServedApi(new Service());
        var first = new HttpClientSocket(served.port());
        var second = new HttpClientSocket(served.port())) {
      first.post(MANY, "content-length: 1000000");
      Await.until("it is counted", () -> served.memory.held() / 100_000 == 10);
      second.post(MANY, "transfer-encoding: chunked").send("fffff\r\n" + " ".repeat(60_000));
      assertEquals("HTTP/1.1 429 Too Many Requests", second.status());
    }
  }
}
