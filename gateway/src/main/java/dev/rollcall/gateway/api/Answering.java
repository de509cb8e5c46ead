package dev.rollcall.gateway.api;

import dev.rollcall.port.RollUnavailableException;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** How the services answer. */
final class Answering {
  /** The grid makes out that a member is gone, and goes on without it. */
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private Answering() {}

  static <T> void with(CompletableFuture<T> answer, StreamObserver<T> to) {
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

  /** What the client is told of a failure, and of the field that was wrong. */
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

  /** The caller's deadline, less what the answer needs on its way, or the default. */
  static Duration patience(Duration byDefault) {
    Deadline deadline = Context.current().getDeadline();
    if (deadline == null) {
      return byDefault;
    }
    long left = deadline.timeRemaining(TimeUnit.MILLISECONDS);
    long reserve = Math.min(20, left / 10);
    return Duration.ofMillis(Math.clamp(left - reserve, 1, byDefault.toMillis()));
  }
}
