package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls without a connection of gRPC. */
class ServiceCallTest {
  private static final Peer PEER = new Peer.Anonymous("127.0.0.1:1");

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private final class Heard<R> implements ServiceCall.Client<R> {
    private final boolean ready;

    Heard(boolean ready) {
      this.ready = ready;
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void message(R message) {
      heard.add("message");
    }

    @Override
    public void end(Status status, Metadata trailers) {
      heard.add(status.getCode().name());
    }
  }

  /** Tells what becomes of its calls. */
  private final class Service extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    private final Consumer<StreamObserver<?>> answer;

    Service(Consumer<StreamObserver<?>> answer) {
      this.answer = answer;
    }

    @Override
    public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> client) {
      assertEquals(PEER, Peer.current());
      Context.current().addListener(_ -> heard.add("context"), Runnable::run);
      answer.accept(client);
    }

    @Override
    public StreamObserver<IdentifyManyRequest> identifyMany(
        StreamObserver<IdentifyManyResponse> client) {
      return new StreamObserver<>() {
        @Override
        public void onNext(IdentifyManyRequest request) {
          client.onNext(
              IdentifyManyResponse.newBuilder().setRequestId(request.getRequestId()).build());
        }

        @Override
        public void onError(Throwable gone) {
          heard.add("gone");
        }

        @Override
        public void onCompleted() {
          client.onCompleted();
        }
      };
    }
  }

  @SuppressWarnings("unchecked") // it is that method
  private <Q, R> void call(
      Service service,
      MethodDescriptor<Q, R> method,
      List<Q> requests,
      Optional<Deadline> deadline,
      boolean ready) {
    var definition =
        (ServerMethodDefinition<Q, R>) service.bindService().getMethod(method.getFullMethodName());
    vertx.runOnContext(_ -> {
      var call = new ServiceCall<>(definition, PEER, deadline, new Heard<R>(ready));
      call.start(new Metadata());
      requests.forEach(request -> call.say(() -> request));
      call.saidAll();
    });
  }

  private void identify(Consumer<StreamObserver<?>> answer, Optional<Deadline> deadline) {
    call(
        new Service(answer),
        CallerIdServiceGrpc.getIdentifyMethod(),
        List.of(IdentifyRequest.getDefaultInstance()),
        deadline,
        false);
  }

  private String next() throws InterruptedException {
    return String.valueOf(heard.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void allThatIsSaidIsHeardBeforeTheEnd() throws InterruptedException {
    var request = IdentifyManyRequest.newBuilder().setRequestId(3).build();
    call(
        new Service(_ -> {}),
        CallerIdServiceGrpc.getIdentifyManyMethod(),
        List.of(request, request, request),
        Optional.empty(),
        true);
    assertEquals(
        List.of("message", "message", "message", "OK"), List.of(next(), next(), next(), next()));
  }

  @Test
  void theDeadlineEndsIt() throws InterruptedException {
    identify(_ -> {}, Optional.of(Deadline.after(100, TimeUnit.MILLISECONDS)));
    List<String> both = List.of(next(), next());
    assertTrue(both.contains("context"), both.toString());
    assertTrue(both.contains("DEADLINE_EXCEEDED"), both.toString());
  }

  @Test
  void whatItsServiceThrowsIsToldOnce() throws InterruptedException {
    identify(
        _ -> {
          throw new IllegalStateException("out of order");
        },
        Optional.empty());
    List<String> both = List.of(next(), next());
    assertTrue(both.contains("INTERNAL"), both.toString());
    assertFalse(both.contains("message"), both.toString());
  }
}
