package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
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
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
        client.identify(IdentifyRequest.getDefaultInstance(), new Ended(heard, running));
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

      // Vert.x resets the stream besides, and its client may hear of that alone.
      Status.Code code = closed.get(20, TimeUnit.SECONDS).getCode();
      assertTrue(EnumSet.of(Status.Code.PERMISSION_DENIED, Status.Code.CANCELLED).contains(code));
    }
  }

  private record Ended(Map<Status.Code, Integer> heard, Semaphore running)
      implements StreamObserver<IdentifyResponse> {
    @Override
    public void onNext(IdentifyResponse answer) {}

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
