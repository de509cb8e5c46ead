package dev.rollcall.wire.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryUse;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The times of a request, at moments that the test names. */
class LinkStreamTest {
  private static final Peer PEER = new Peer.Anonymous("127.0.0.1:1");
  private static final long KIB = 1 << 10;

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final MemoryBudget memory = new MemoryBudget(1_000, 2_000, new SimpleMeterRegistry());
  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    Rig.await(vertx.close());
  }

  private final class Heard<R> implements ServiceCall.Client<R> {
    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void message(R message) {}

    @Override
    public void end(Status status, Metadata trailers) {
      heard.add(status.getCode() + " " + status.getDescription());
    }
  }

  /** Of which only the answer's bytes are asked, and which is reset. */
  private HttpServerRequest request(long answered) {
    var response =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {HttpServerResponse.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "bytesWritten" -> answered;
                  case "reset" -> {
                    heard.add("reset " + arguments[0]);
                    yield io.vertx.core.Future.succeededFuture();
                  }
                  default -> throw new AssertionError(method);
                });
    return (HttpServerRequest)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {HttpServerRequest.class},
            (_, method, _) -> {
              assertEquals("response", method.getName());
              return response;
            });
  }

  private LinkStream stream(long answered) {
    var held = new HeldMemory(memory, "alice");
    assertTrue(held.take(MemoryUse.REQUEST, 50));
    return new LinkStream(request(answered), held);
  }

  private static final class Silent extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    @Override
    public StreamObserver<IdentifyManyRequest> identifyMany(
        StreamObserver<IdentifyManyResponse> client) {
      return new StreamObserver<>() {
        @Override
        public void onNext(IdentifyManyRequest request) {}

        @Override
        public void onError(Throwable gone) {}

        @Override
        public void onCompleted() {}
      };
    }
  }

  private static <Q, R> ServerMethodDefinition<Q, R> definition(MethodDescriptor<Q, R> method) {
    var service = new Silent().bindService();
    @SuppressWarnings("unchecked") // it is that method
    var definition = (ServerMethodDefinition<Q, R>) service.getMethod(method.getFullMethodName());
    return definition;
  }

  private <T> T onLoop(LongFunction<T> work) {
    var done = new CompletableFuture<T>();
    vertx.runOnContext(_ -> {
      try {
        done.complete(work.apply(System.nanoTime()));
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
      }
    });
    return done.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private <Q, R> LinkStream serving(MethodDescriptor<Q, R> method) {
    LinkStream stream = stream(0);
    var call = new ServiceCall<>(definition(method), PEER, Optional.empty(), new Heard<R>());
    stream.serves(call);
    call.start(new Metadata());
    return stream;
  }

  private static long seconds(long count) {
    return TimeUnit.SECONDS.toNanos(count);
  }

  @Test
  void aUnaryRequestHas30SecondsToEnd() {
    LinkStream stream =
        onLoop(start -> {
          LinkStream begun = serving(CallerIdServiceGrpc.getIdentifyMethod());
          assertFalse(begun.endIfLate(start + seconds(29)));
          assertTrue(begun.isAwaited());
          assertEquals(List.of(), heard);
          assertFalse(begun.endIfLate(System.nanoTime() + seconds(31)), "it is no unread answer");
          assertFalse(begun.isAwaited());
          return begun;
        });
    onLoop(_ -> stream); // what the call does at its end is done
    assertEquals(List.of("DEADLINE_EXCEEDED the request did not end within 30 s"), heard);
  }

  @Test
  void aRequestThatHasEndedAndOneOfManyMessagesMayLastLonger() {
    onLoop(start -> {
      LinkStream ended = serving(CallerIdServiceGrpc.getIdentifyMethod());
      ended.requestEnded();
      LinkStream many = serving(CallerIdServiceGrpc.getIdentifyManyMethod());
      assertFalse(ended.isAwaited());
      assertFalse(many.isAwaited());
      assertFalse(ended.endIfLate(start + seconds(3_600)));
      assertFalse(many.endIfLate(start + seconds(3_600)));
      return ended;
    });
    assertEquals(List.of(), heard);
  }

  @Test
  void anAnswerHas5SecondsToBeReadAndOneMoreForEach64KiB() {
    onLoop(start -> {
      LinkStream small = stream(0);
      small.answerEnded();
      assertFalse(small.endIfLate(start + seconds(4)));
      assertTrue(small.endIfLate(System.nanoTime() + seconds(6)));
      LinkStream large = stream(640 * KIB);
      large.answerEnded();
      assertFalse(large.endIfLate(start + seconds(14)));
      assertTrue(large.endIfLate(System.nanoTime() + seconds(16)));
      LinkStream read = stream(0);
      read.answerEnded();
      read.answerSent();
      assertFalse(read.endIfLate(start + seconds(3_600)));
      return read;
    });
    assertEquals(List.of("reset 8", "reset 8"), heard);
  }

  @Test
  void itsEndGivesBackItsMemory() {
    onLoop(_ -> {
      LinkStream stream = stream(0);
      assertEquals(50, memory.held());
      stream.close();
      return stream;
    });
    assertEquals(0, memory.held());
  }
}
