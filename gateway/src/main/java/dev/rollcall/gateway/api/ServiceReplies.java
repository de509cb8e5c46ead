package dev.rollcall.gateway.api;

import com.google.protobuf.Message;
import dev.rollcall.gateway.identity.AuthenticationInterceptor;
import dev.rollcall.gateway.stream.Outgoing;
import dev.rollcall.port.RollUnavailableException;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.grpc.CallContext;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Sends the answers and errors of the services. */
final class ServiceReplies {
  /** The grid makes out that a member is gone, and goes on without it. */
  private static final Duration AGAIN = Duration.ofSeconds(5);

  /** The most that is kept back of a client's time, so that the answer reaches it. */
  private static final Duration WAY_BACK = Duration.ofMillis(200);

  private ServiceReplies() {}

  /**
   * Answers once; what is thrown before there is a future is answered too.
   *
   * @param work for the principal of the call
   */
  static <T> void once(StreamObserver<T> to, Function<Principal, CompletableFuture<T>> work) {
    CompletableFuture<T> answer;
    try {
      answer = work.apply(AuthorizationInterceptor.current());
    } catch (BadWordException | StatusRuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    var _ =
        answer.whenComplete((value, failure) -> {
          if (failure == null) {
            to.onNext(value);
            to.onCompleted();
          } else {
            to.onError(refusal(failure));
          }
        });
  }

  /**
   * Sends a client what it watches, until it goes; a bad request is answered.
   *
   * @param waiting messages that may wait for it
   * @param watch begins; returns what ends it
   */
  static <T extends Message> void stream(
      StreamObserver<T> client,
      int waiting,
      MemoryBudget memory,
      Function<Outgoing<T>, Runnable> watch) {
    var stream = (ServerCallStreamObserver<T>) client;
    var out =
        new Outgoing<>(
            stream,
            CallContext.executor(),
            new Outgoing.Client(AuthenticationInterceptor.current(), "the client", waiting),
            memory);
    Runnable stop;
    try {
      stop = watch.apply(out);
    } catch (BadWordException e) {
      client.onError(e.refusal());
      return;
    }
    stream.setOnCancelHandler(() -> {
      stop.run();
      out.gone();
    });
    stream.setOnCloseHandler(stop);
    if (stream.isCancelled()) {
      out.close(Status.CANCELLED);
      stop.run();
    }
  }

  /** Maps a failure to the client's error, with the name of a wrong field. */
  static StatusRuntimeException refusal(Throwable failure) {
    return switch (failure) {
      case CompletionException e when e.getCause() != null -> refusal(e.getCause());
      case StatusRuntimeException e -> e;
      case BadWordException e -> e.refusal();
      case RollUnavailableException e ->
          Refusal.of(Reason.ROLL_UNAVAILABLE, "the roll is not available: " + e.getMessage())
              .again(AGAIN)
              .exception();
      default ->
          Status.INTERNAL
              .withDescription(failure.toString())
              .withCause(failure)
              .asRuntimeException();
    };
  }

  /**
   * The caller's deadline, less what the answer needs on its way.
   *
   * @param byDefault for a caller without a deadline
   * @param most for one with a longer deadline
   */
  static Duration patience(Duration byDefault, Duration most) {
    Deadline deadline = Context.current().getDeadline();
    if (deadline == null) {
      return byDefault;
    }
    long left = deadline.timeRemaining(TimeUnit.MILLISECONDS);
    long reserve = Math.min(WAY_BACK.toMillis(), left / 10);
    return Duration.ofMillis(Math.clamp(left - reserve, 1, most.toMillis()));
  }

  /** The same, with one bound for both. */
  static Duration patience(Duration byDefault) {
    return patience(byDefault, byDefault);
  }
}
