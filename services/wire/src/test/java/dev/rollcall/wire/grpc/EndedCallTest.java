package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls whose request has ended: the service is told of their end once, and so is their context.
 */
class EndedCallTest {
  @TempDir Path directory = Path.of("unset");
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

  private final class Ends implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Context.current().addListener(_ -> ends.add("context"), Runnable::run);
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onComplete() {
          ends.add("complete");
          super.onComplete();
        }

        @Override
        public void onCancel() {
          ends.add("cancelled");
          super.onCancel();
        }
      };
    }
  }

  /** Answers a question about no connection. */
  private final class Service extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    @Override
    public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> answer) {
      if (request.hasConnection()) {
        ends.add("asked");
        return;
      }
      answer.onNext(IdentifyResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }

  private Rig rig(Transport transport) throws Exception {
    BindableService service =
        () -> ServerInterceptors.intercept(new Service().bindService(), new Ends());
    return new Rig(transport, directory, KeepAlive.CALM, service);
  }

  private String next() throws InterruptedException {
    return String.valueOf(ends.poll(20, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void thatWereAnsweredAreComplete(Transport transport) throws Exception {
    try (var rig = rig(transport)) {
      var _ =
          CallerIdServiceGrpc.newBlockingStub(rig.channel())
              .identify(IdentifyRequest.getDefaultInstance());
      assertEquals(List.of("context", "complete"), List.of(next(), next()));
    }
    assertEquals(List.of(), List.copyOf(ends));
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void whoseClientGoesAreCancelled(Transport transport) throws Exception {
    try (var rig = rig(transport)) {
      var asked = IdentifyRequest.newBuilder();
      asked.getConnectionBuilder();
      var answer = CallerIdServiceGrpc.newFutureStub(rig.channel()).identify(asked.build());
      assertEquals("asked", next());
      answer.cancel(true);
      assertEquals(List.of("cancelled", "context"), List.of(next(), next()));
    }
    assertEquals(List.of(), List.copyOf(ends));
  }
}
