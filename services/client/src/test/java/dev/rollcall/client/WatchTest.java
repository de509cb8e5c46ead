package dev.rollcall.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.WatchCallsRequest;
import dev.rollcall.proto.v1.WatchCallsResponse;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchTest {
  /** How each stream ends; when there are no more it stays open. */
  private final Queue<Status> ends = new ConcurrentLinkedQueue<>();

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void serve() throws Exception {
    server =
        InProcessServerBuilder.forName("watch")
            .addService(
                new CallerIdServiceGrpc.CallerIdServiceImplBase() {
                  @Override
                  public void watchCalls(
                      WatchCallsRequest request, StreamObserver<WatchCallsResponse> client) {
                    ((ServerCallStreamObserver<WatchCallsResponse>) client)
                        .setOnCancelHandler(cancelled::countDown);
                    Status end = ends.poll();
                    if (end == null || end.getCode() == Status.Code.UNAVAILABLE) {
                      client.onNext(WatchCallsResponse.getDefaultInstance());
                    }
                    if (end != null && end.isOk()) {
                      client.onCompleted();
                    } else if (end != null) {
                      client.onError(end.asRuntimeException());
                    }
                  }
                })
            .build()
            .start();
    channel = InProcessChannelBuilder.forName("watch").build();
  }

  @AfterEach
  void end() throws Exception {
    channel.shutdownNow();
    server.shutdownNow();
    assertTrue(server.awaitTermination(20, TimeUnit.SECONDS));
  }

  private Watch<WatchCallsResponse> watch() {
    return new RollcallClient(channel)
        .watchCalls(
            WatchCallsRequest.getDefaultInstance(),
            new Watch.Listener<>() {
              @Override
              public void told(WatchCallsResponse message) {
                heard.add("told");
              }

              @Override
              public void interrupted(Status why) {
                heard.add("interrupted " + why.getCode());
              }

              @Override
              public void refused(Status why) {
                heard.add("refused " + why.getCode());
              }
            });
  }

  private String next() throws InterruptedException {
    return String.valueOf(heard.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void goesOnAfterAGatewayHasGone() throws Exception {
    ends.add(Status.UNAVAILABLE);
    ends.add(Status.OK);
    try (var _ = watch()) {
      assertEquals("told", next());
      assertEquals("interrupted UNAVAILABLE", next());
      assertEquals("interrupted UNAVAILABLE", next());
      assertEquals("told", next());
    }
    assertTrue(cancelled.await(20, TimeUnit.SECONDS));
  }

  @Test
  void endsWhereAnotherTryWouldChangeNothing() throws Exception {
    ends.add(Status.PERMISSION_DENIED);
    try (var _ = watch()) {
      assertEquals("refused PERMISSION_DENIED", next());
    }
    assertEquals(0, heard.size());
  }
}
