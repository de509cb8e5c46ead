package dev.rollcall.gateway.stream;

import com.google.protobuf.Message;
import dev.rollcall.wire.memory.MemoryBudget;
import dev.rollcall.wire.memory.MemoryUse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * The messages that wait to be sent on one stream. It waits here while the client does not read, up
 * to a number of messages and the bytes that its client may hold; then the stream is cut, because
 * the heap is everybody's. From any thread.
 */
public final class Outgoing<T extends Message> {
  /** A client that took nothing for so long while something waits does not read. */
  private static final long UNREAD_NANOS = Duration.ofSeconds(10).toNanos();

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

  /**
   * What is sent in place of what is dropped.
   *
   * @param all in place of too many that differ
   */
  public record Replacement<T>(T one, T all) {}

  private final ServerCallStreamObserver<T> stream;
  private final Executor executor;
  private final Client client;
  private final MemoryBudget memory;
  private final Queue<T> waiting = new ArrayDeque<>();

  /** What is to be sent after all that waits, in place of what was dropped. */
  private final LinkedHashSet<T> instead = new LinkedHashSet<>();

  private Runnable then = () -> {};
  private long bytes;
  private long takenNanos;
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
      if (!sent(message)) {
        await(message, waiting);
      }
    });
  }

  /**
   * Sends what can be spared. It is dropped while half of the messages that may wait do, or there
   * is no room: others may cause any number of them, and must not have the stream cut of a client
   * that reads.
   *
   * @param by is sent then, once, after all that waits
   */
  public void offer(T message, Optional<Replacement<T>> by) {
    executor.execute(() -> {
      if (over || sent(message)) {
        return;
      }
      boolean behind = waiting.size() >= client.most() / 2;
      if (behind && System.nanoTime() - takenNanos > UNREAD_NANOS) {
        closeNow(exhausted(waiting.size() + " messages wait for it"));
      } else if (behind || !keep(message, waiting)) {
        by.ifPresent(this::replace);
      }
    });
  }

  /** As many nodes as there are may be the cause: they do not have the stream cut either. */
  private void replace(Replacement<T> by) {
    if (instead.contains(by.one()) || instead.contains(by.all())) {
      return;
    }
    if (instead.size() >= client.most() / 2 || !keep(by.one(), instead)) {
      release(instead.stream().mapToLong(Outgoing::size).sum());
      instead.clear();
      await(by.all(), instead);
    }
  }

  /** Sends it, unless it has to wait. */
  private boolean sent(T message) {
    drain();
    boolean now = waiting.isEmpty() && instead.isEmpty() && stream.isReady();
    if (now) {
      stream.onNext(message);
    }
    return now;
  }

  private void await(T message, Collection<T> with) {
    if (with.size() >= client.most()) {
      closeNow(exhausted(with.size() + " messages wait for it"));
    } else if (!keep(message, with)) {
      closeNow(
          exhausted(bytes + " bytes of this stream wait for it, and there is no room for more"));
    }
  }

  private boolean keep(T message, Collection<T> with) {
    boolean room = memory.take(client.peer(), MemoryUse.OUTGOING, size(message));
    if (room) {
      if (bytes == 0) {
        takenNanos = System.nanoTime();
      }
      bytes += size(message);
      with.add(message);
    }
    return room;
  }

  private Status exhausted(String why) {
    return Status.RESOURCE_EXHAUSTED.withDescription(client.name() + " does not read: " + why);
  }

  private static long size(Message message) {
    return (long) message.getSerializedSize() + OVERHEAD;
  }

  /** Runs this once, when nothing waits and the client reads, unless another comes before. */
  public void whenRead(Runnable next) {
    executor.execute(() -> {
      then = next;
      drain();
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
      forget();
    });
  }

  private void drain() {
    while (!over && !(waiting.isEmpty() && instead.isEmpty()) && stream.isReady()) {
      T next = waiting.isEmpty() ? instead.removeFirst() : waiting.remove();
      release(size(next));
      takenNanos = System.nanoTime();
      stream.onNext(next);
    }
    if (!over && waiting.isEmpty() && instead.isEmpty() && stream.isReady()) {
      Runnable now = then;
      then = () -> {};
      now.run();
    }
  }

  private void release(long size) {
    bytes -= size;
    memory.release(client.peer(), size);
  }

  private void forget() {
    waiting.clear();
    instead.clear();
    release(bytes);
  }

  private void closeNow(Status status) {
    if (over) {
      return;
    }
    over = true;
    if (status.isOk()) {
      waiting.forEach(stream::onNext);
      instead.forEach(stream::onNext);
      stream.onCompleted();
    } else {
      stream.onError(status.asRuntimeException());
    }
    forget();
  }
}
