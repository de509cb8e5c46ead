package dev.rollcall.gateway.stream;

import com.google.protobuf.Message;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryUse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * The messages that wait to be sent on one stream. It waits here while the client does not read, up
 * to a number of messages and the bytes that its client may hold; then the stream is cut, because
 * the heap is everybody's. From any thread.
 */
public final class Outgoing<T extends Message> {
  /** Bytes beside its fields that a message takes while it waits. */
  private static final int OVERHEAD = 64;

  /**
   * The client whose messages wait.
   *
   * @param peer for the budget: the same for all streams of one client
   * @param name for people
   * @param most messages that may wait
   */
  public record Client(Object peer, String name, int most) {}

  private final ServerCallStreamObserver<T> stream;
  private final Executor executor;
  private final Client client;
  private final MemoryBudget memory;
  private final Queue<T> waiting = new ArrayDeque<>();
  private long bytes;
  private boolean over;

  /**
   * Made while the service's method runs.
   *
   * @param executor of the call
   * @param memory counts what waits
   */
  public Outgoing(
      ServerCallStreamObserver<T> stream, Executor executor, Client client, MemoryBudget memory) {
    this.stream = stream;
    this.executor = executor;
    this.client = client;
    this.memory = memory;
    stream.setOnReadyHandler(this::drain);
  }

  public void send(T message) {
    executor.execute(() -> {
      if (over) {
        return;
      }
      drain();
      if (waiting.isEmpty() && stream.isReady()) {
        stream.onNext(message);
      } else {
        await(message);
      }
    });
  }

  private void await(T message) {
    long size = size(message);
    if (waiting.size() >= client.most()) {
      closeNow(exhausted(waiting.size() + " messages wait for it"));
    } else if (!memory.take(client.peer(), MemoryUse.OUTGOING, size)) {
      closeNow(
          exhausted(bytes + " bytes of this stream wait for it, and there is no room for more"));
    } else {
      bytes += size;
      waiting.add(message);
    }
  }

  private Status exhausted(String why) {
    return Status.RESOURCE_EXHAUSTED.withDescription(client.name() + " does not read: " + why);
  }

  private static long size(Message message) {
    return (long) message.getSerializedSize() + OVERHEAD;
  }

  /** Ends the stream; OK only after what waits was said. */
  public void close(Status status) {
    executor.execute(() -> closeNow(status));
  }

  /** The client has gone: nothing is said any more. */
  public void gone() {
    executor.execute(() -> {
      over = true;
      forget();
    });
  }

  private void drain() {
    while (!over && !waiting.isEmpty() && stream.isReady()) {
      T next = waiting.remove();
      release(size(next));
      stream.onNext(next);
    }
  }

  private void release(long size) {
    bytes -= size;
    memory.release(client.peer(), size);
  }

  private void forget() {
    waiting.clear();
    release(bytes);
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
    forget();
  }
}
