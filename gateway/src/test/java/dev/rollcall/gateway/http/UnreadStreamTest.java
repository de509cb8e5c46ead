package dev.rollcall.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.ListAdoptionsResponse;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import dev.rollcall.testkit.process.Await;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that says more than its client reads, against a client's share of 1 MiB. */
@Timeout(120)
class UnreadStreamTest {
  private static final int MESSAGES = 5_000;
  private static final Adoption KIB = Adoption.newBuilder().setDoubt("x".repeat(1_024)).build();

  private static final class Talking extends AdoptionServiceGrpc.AdoptionServiceImplBase {
    final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void listAdoptions(
        ListAdoptionsRequest request, StreamObserver<ListAdoptionsResponse> client) {
      var all = ListAdoptionsResponse.newBuilder();
      for (int i = 0; i < 1_200; i++) {
        all.addAdoptions(KIB);
      }
      client.onNext(all.build());
      client.onCompleted();
    }

    /** Whether its client reads is not asked. */
    @Override
    public void watchAdoptions(
        WatchAdoptionsRequest request, StreamObserver<WatchAdoptionsResponse> client) {
      Context.current().addListener(_ -> ended.countDown(), Runnable::run);
      for (int i = 0; i < MESSAGES; i++) {
        client.onNext(WatchAdoptionsResponse.newBuilder().setAdoption(KIB).build());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-ndjson", "text/event-stream"})
  void aStreamThatIsNotReadEndsAtItsClientsShare(String type) throws Exception {
    var talking = new Talking();
    try (var served = new ServedApi(talking);
        var client = new HttpClientSocket(served.port())) {
      client.send(
          "GET /v1/adoptions:watch HTTP/1.1\r\nHost: localhost\r\naccept: " + type + "\r\n\r\n");
      assertTrue(talking.ended.await(30, TimeUnit.SECONDS), "the service goes on");
      assertTrue(served.memory.held() <= served.memory.mostOfAPeer());
      // Read or cut, before the connection is idle for too long: it is not kept for a client that
      // may never come back.
      Await.until(
          "nothing is held any more", Duration.ofSeconds(12), () -> served.memory.held() == 0);
    }
  }

  @Test
  void anAnswerOverTheClientsShareIsRefused() throws Exception {
    try (var served = new ServedApi(new Talking())) {
      var response = served.get("/v1/adoptions");
      assertEquals(429, response.statusCode());
      assertTrue(response.body().contains("MEMORY_EXCEEDED"), response.body());
      assertTrue(response.headers().firstValue("retry-after").isPresent());
      assertTrue(served.memory.held() < 64 << 10, "the connection and its last request");
    }
  }
}
