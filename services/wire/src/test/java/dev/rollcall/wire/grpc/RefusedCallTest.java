package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that are refused before their request has come. */
class RefusedCallTest {
  private static final int CALLS = 2_000;
  private static final int AT_ONCE = 8;

  @TempDir Path directory = Path.of("unset");

  private static final class Refusing implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      throw Status.PERMISSION_DENIED.withDescription("nobody may").asRuntimeException();
    }
  }

  private Rig rig(Transport transport) throws Exception {
    BindableService refusing =
        () ->
            ServerInterceptors.intercept(
                new CallerIdServiceGrpc.CallerIdServiceImplBase() {}.bindService(), new Refusing());
    return new Rig(transport, directory, KeepAlive.CALM, refusing);
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void eachOfManyHearsWhy(Transport transport) throws Exception {
    Map<Status.Code, Integer> heard = new ConcurrentHashMap<>();
    try (var rig = rig(transport)) {
      var client = CallerIdServiceGrpc.newStub(rig.channel());
      var running = new Semaphore(AT_ONCE);
      for (int i = 0; i < CALLS; i++) {
        running.acquire();
        client.identify(IdentifyRequest.getDefaultInstance(), new Ended<>(heard, running));
      }
      running.acquire(AT_ONCE);
    }
    assertEquals(Map.of(Status.Code.PERMISSION_DENIED, CALLS), heard);
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void eachOfManyStreamsHearsWhy(Transport transport) throws Exception {
    Map<Status.Code, Integer> heard = new ConcurrentHashMap<>();
    try (var rig = rig(transport)) {
      var client = CallerIdServiceGrpc.newStub(rig.channel());
      var running = new Semaphore(AT_ONCE);
      for (int i = 0; i < CALLS; i++) {
        running.acquire();
        client
            .withDeadlineAfter(20, TimeUnit.SECONDS)
            .identifyMany(new Ended<>(heard, running))
            .onNext(IdentifyManyRequest.getDefaultInstance());
      }
      running.acquire(AT_ONCE);
    }
    assertEquals(Map.of(Status.Code.PERMISSION_DENIED, CALLS), heard);
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void oneThatNeverEndsItsRequestHearsItToo(Transport transport) throws Exception {
    try (var rig = rig(transport)) {
      var closed = new CompletableFuture<Status>();
      var call =
          rig.channel().newCall(CallerIdServiceGrpc.getIdentifyMethod(), CallOptions.DEFAULT);
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              closed.complete(status);
            }
          },
          new Metadata());
      call.request(1);
      call.sendMessage(IdentifyRequest.getDefaultInstance());

      assertEquals(Status.Code.PERMISSION_DENIED, closed.get(20, TimeUnit.SECONDS).getCode());
    }
  }

  /** Closes each call before its request has come, and counts the ends that it is told of. */
  private static final class Closing implements ServerInterceptor {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      call.close(Status.PERMISSION_DENIED, new Metadata());
      closed.countDown();
      return new ServerCall.Listener<>() {
        @Override
        public void onCancel() {
          ends.add("cancelled");
        }

        @Override
        public void onComplete() {
          ends.add("complete");
        }
      };
    }
  }

  /** Else it would hold for ever what it counts for a call. */
  @ParameterizedTest
  @EnumSource(Transport.class)
  void itsServiceIsToldOfTheEndOnceThoughTheClientGoesBeforeItsRequestHasEnded(Transport transport)
      throws Exception {
    var closing = new Closing();
    BindableService service =
        () ->
            ServerInterceptors.intercept(
                new CallerIdServiceGrpc.CallerIdServiceImplBase() {}.bindService(), closing);
    try (var rig = new Rig(transport, directory, KeepAlive.CALM, service)) {
      var call =
          rig.channel().newCall(CallerIdServiceGrpc.getIdentifyMethod(), CallOptions.DEFAULT);
      call.start(new ClientCall.Listener<>() {}, new Metadata());
      call.sendMessage(IdentifyRequest.getDefaultInstance());
      assertTrue(closing.closed.await(20, TimeUnit.SECONDS), "the call came");
      call.cancel("as the client goes", null);

      assertEquals("complete", closing.ends.poll(20, TimeUnit.SECONDS));
    }
    assertEquals(List.of(), List.copyOf(closing.ends));
  }

  /** The server resets a stream that it answered a second ago. The client may read later. */
  @ParameterizedTest
  @EnumSource(Transport.class)
  void aClientThatReadsAfterTheStreamWasResetHearsItToo(Transport transport) throws Exception {
    try (var rig = new Rig(transport, directory, KeepAlive.CALM, new LaterThanTheReset())) {
      var closed = new CompletableFuture<Status>();
      var channel = rig.channel();
      var call = channel.newCall(CallerIdServiceGrpc.getIdentifyManyMethod(), CallOptions.DEFAULT);
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              closed.complete(status);
            }
          },
          new Metadata());
      call.sendMessage(IdentifyManyRequest.getDefaultInstance());
      // On the same connection: its answer comes after the reset.
      var _ =
          CallerIdServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(20, TimeUnit.SECONDS)
              .identify(IdentifyRequest.getDefaultInstance());

      call.request(1);

      assertEquals(Status.Code.PERMISSION_DENIED, closed.get(20, TimeUnit.SECONDS).getCode());
    }
  }

  /** Refuses streams, and answers a question after the server has reset those. */
  private static final class LaterThanTheReset extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    private static final long LATER_MILLIS = 1_200;

    private final CompletableFuture<Void> refused = new CompletableFuture<>();

    @Override
    public StreamObserver<IdentifyManyRequest> identifyMany(
        StreamObserver<IdentifyManyResponse> answers) {
      refused.complete(null);
      throw Status.PERMISSION_DENIED.withDescription("nobody may").asRuntimeException();
    }

    @Override
    public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> answer) {
      Vertx vertx = Vertx.currentContext().owner();
      var _ =
          refused.thenRun(() ->
              vertx.setTimer(
                  LATER_MILLIS,
                  _ -> {
                    answer.onNext(IdentifyResponse.getDefaultInstance());
                    answer.onCompleted();
                  }));
    }
  }

  private record Ended<R>(Map<Status.Code, Integer> heard, Semaphore running)
      implements StreamObserver<R> {
    @Override
    public void onNext(R answer) {}

    @Override
    public void onError(Throwable cause) {
      ended(Status.fromThrowable(cause).getCode());
    }

    @Override
    public void onCompleted() {
      ended(Status.Code.OK);
    }

    private void ended(Status.Code code) {
      heard.merge(code, 1, Integer::sum);
      running.release();
    }
  }
}
