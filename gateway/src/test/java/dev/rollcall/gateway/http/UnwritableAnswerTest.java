package dev.rollcall.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Timestamp;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.ListAdoptionsResponse;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that JSON has no form for: a time in the year 10000. */
@Timeout(60)
class UnwritableAnswerTest {
  /** The first second after 9999-12-31T23:59:59Z, the last that a Timestamp may have. */
  private static final long YEAR_10000 = 253_402_300_800L;

  private static final class Late extends AdoptionServiceGrpc.AdoptionServiceImplBase {
    final CountDownLatch ended = new CountDownLatch(1);

    private static Adoption at(long second) {
      return Adoption.newBuilder().setDecidedAt(Timestamp.newBuilder().setSeconds(second)).build();
    }

    @Override
    public void listAdoptions(
        ListAdoptionsRequest request, StreamObserver<ListAdoptionsResponse> answer) {
      answer.onNext(ListAdoptionsResponse.newBuilder().addAdoptions(at(YEAR_10000)).build());
      answer.onCompleted();
    }

    @Override
    public void watchAdoptions(
        WatchAdoptionsRequest request, StreamObserver<WatchAdoptionsResponse> answer) {
      Context.current().addListener(_ -> ended.countDown(), Runnable::run);
      answer.onNext(WatchAdoptionsResponse.newBuilder().setAdoption(at(1)).build());
      answer.onNext(WatchAdoptionsResponse.newBuilder().setAdoption(at(YEAR_10000)).build());
      // And no end: what watches goes on.
    }
  }

  @Test
  void oneAnswerIsAnInternalErrorAtOnce() throws Exception {
    try (var served = new ServedApi(new Late())) {
      var response = served.get("/v1/adoptions");
      assertEquals(500, response.statusCode(), response.body());
      assertTrue(response.body().contains("an answer cannot be written"), response.body());
    }
  }

  @Test
  void aStreamEndsWithAnErrorAsItsLastLine() throws Exception {
    var late = new Late();
    try (var served = new ServedApi(late)) {
      var response = served.get("/v1/adoptions:watch");
      assertEquals(200, response.statusCode(), response.body());
      var lines = response.body().lines().filter(line -> !line.isBlank()).toList();
      assertEquals(2, lines.size(), response.body());
      assertTrue(lines.getLast().startsWith("{\"error\":{\"code\":500"), response.body());
      assertTrue(late.ended.await(20, TimeUnit.SECONDS), "the service goes on");
    }
  }

  @Test
  void aStreamOfEventsEndsWithAFailure() throws Exception {
    try (var served = new ServedApi(new Late())) {
      var response = served.get("/v1/adoptions:watch", "accept", "text/event-stream");
      assertTrue(response.body().contains("event: failure\ndata: {\"error\":"), response.body());
    }
  }
}
