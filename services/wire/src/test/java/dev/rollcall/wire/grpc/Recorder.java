package dev.rollcall.wire.grpc;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Keeps what a client is told. */
public final class Recorder<Q, R> implements ClientResponseObserver<Q, R> {
  final BlockingQueue<R> messages = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  @Nullable ClientCallStreamObserver<Q> requests;

  @Override
  public void beforeStart(ClientCallStreamObserver<Q> stream) {
    requests = stream;
  }

  @Override
  public void onNext(R message) {
    messages.add(message);
  }

  @Override
  public void onError(Throwable cause) {
    end.complete(Status.fromThrowable(cause));
  }

  @Override
  public void onCompleted() {
    end.complete(Status.OK);
  }

  public R next() throws InterruptedException {
    R message = messages.poll(10, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("no message within 10 s; end: " + end.getNow(null));
    }
    return message;
  }

  public Status end() throws InterruptedException, ExecutionException {
    return end(Duration.ofSeconds(10));
  }

  boolean isOpen() {
    return !end.isDone();
  }

  Status end(Duration within) throws InterruptedException, ExecutionException {
    try {
      return end.get(within.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the call did not end within " + within.toSeconds() + " s", e);
    }
  }
}
