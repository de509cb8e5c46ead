package dev.rollcall.gateway.stream;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * What is said on one stream. It waits here while the client does not read, up to a number of
 * messages; then the stream is cut, because the heap is everybody's. From any thread.
 */
public final class Outgoing<T> {
  private final ServerCallStreamObserver<T> stream;
  private final Executor executor;
  private final String client;
  private final int most;
  private final Queue<T> waiting = new ArrayDeque<>();
  private boolean over;

  /**
   * Made while the service's method runs.
   *
   * @param executor of the call
   * @param client for people
   * @param most messages that may wait
   */
  public Outgoing(ServerCallStreamObserver<T> stream, Executor executor, String client, int most) {
    this.stream = stream;
    this.executor = executor;
    this.client = client;
    this.most = most;
    stream.setOnReadyHandler(this::drain);
  }

  public void send(T message) {
    executor.execute(() -> {
      if (over) {
        return;
      }
      waiting.add(message);
      drain();
      if (waiting.size() > most) {
        closeNow(
            Status.RESOURCE_EXHAUSTED.withDescription(
                client + " does not read: " + waiting.size() + " messages wait for it"));
      }
    });
  }

  /** Ends the stream; OK only after what waits was said. */
  public void close(Status status) {
    executor.execute(() -> closeNow(status));
  }

  /** The client has gone: nothing is said any more. */
  public void gone() {
    executor.execute(() -> {
      over = true;
      waiting.clear();
    });
  }

  private void drain() {
    while (!over && !waiting.isEmpty() && stream.isReady()) {
      stream.onNext(waiting.remove());
    }
  }

  private void closeNow(Status status) {
    if (over) {
      return;
    }
    over = true;
    if (status.isOk()) {
      waiting.forEach(stream::onNext);
      stream.onCompleted();
    } else {
      stream.onError(status.asRuntimeException());
    }
    waiting.clear();
  }
}
