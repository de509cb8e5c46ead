package dev.rollcall.agent.serve;

import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.Refusal;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import io.vertx.core.eventbus.ReplyException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Turns futures into answers, and what went wrong into statuses. */
final class GrpcReplies {
  private GrpcReplies() {}

  /**
   * Answers once; what is thrown before there is a future is answered too.
   *
   * @param work for the user who asks
   */
  static <R> void once(StreamObserver<R> observer, Function<SocketUser, Future<R>> work) {
    Future<R> answer;
    try {
      answer = work.apply(SocketUser.current());
    } catch (BadWordException | StatusRuntimeException e) {
      answer = Future.failedFuture(e);
    }
    answer
        .onSuccess(response -> {
          observer.onNext(response);
          observer.onCompleted();
        })
        .onFailure(cause -> observer.onError(refusal(cause)));
  }

  /** The status for a failure, with the field that was wrong. */
  static StatusRuntimeException refusal(Throwable cause) {
    return switch (cause) {
      case StatusRuntimeException known -> known;
      case BadWordException bad -> bad.refusal();
      case TimeoutException late ->
          Refusal.plain(Status.UNAVAILABLE, "the agent is busy: " + late.getMessage());
      case ReplyException gone ->
          Refusal.plain(
              Status.UNAVAILABLE, "the agent is starting or stopping: " + gone.getMessage());
      default ->
          Status.INTERNAL.withDescription(cause.toString()).withCause(cause).asRuntimeException();
    };
  }
}
