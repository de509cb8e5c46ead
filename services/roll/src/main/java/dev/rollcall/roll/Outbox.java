package dev.rollcall.roll;

import dev.rollcall.port.GatewayMail.Delivery;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Messages waiting for one gateway. One batch is on its way at a time, which keeps their order
 * (tasks of Hazelcast's executors have none) and makes large batches when many are sent.
 */
final class Outbox {
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Waiting(byte[] message, CompletableFuture<Delivery> delivery) {}

  private static final int MOST_WAITING = 10_000;
  private static final long MOST_BYTES_WAITING = 16L << 20;
  private static final int MOST_BYTES = 1 << 20;
  private static final Duration LONGEST_TRIP = Duration.ofSeconds(5);

  private final String to;
  private final Function<List<byte[]>, CompletableFuture<String[]>> carrier;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long bytesWaiting;
  private boolean travelling;

  /**
   * @param carrier takes a batch and completes with one text for each message, empty when it was
   *     received
   */
  Outbox(String to, Function<List<byte[]>, CompletableFuture<String[]>> carrier) {
    this.to = to;
    this.carrier = carrier;
  }

  CompletableFuture<Delivery> add(byte[] message, Duration deadline) {
    var letter = new Waiting(message, new CompletableFuture<>());
    boolean first;
    synchronized (this) {
      if (waiting.size() >= MOST_WAITING) {
        return CompletableFuture.completedFuture(
            undelivered(MOST_WAITING + " messages are waiting already"));
      }
      if (bytesWaiting + message.length > MOST_BYTES_WAITING) {
        return CompletableFuture.completedFuture(
            undelivered(bytesWaiting + " bytes are waiting already"));
      }
      waiting.add(letter);
      bytesWaiting += message.length;
      first = !travelling;
      travelling = true;
    }
    if (first) {
      carryNext();
    }
    return letter.delivery.completeOnTimeout(
        undelivered("no answer within " + deadline.toMillis() + " ms"),
        deadline.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  /** The gateway is gone. */
  void fail(String reason) {
    List<Waiting> gone;
    synchronized (this) {
      gone = List.copyOf(waiting);
      waiting.clear();
      bytesWaiting = 0;
    }
    gone.forEach(w -> w.delivery.complete(undelivered(reason)));
  }

  private void carryNext() {
    List<Waiting> batch = nextBatch();
    if (!batch.isEmpty()) {
      var _ =
          carrier
              .apply(batch.stream().map(w -> w.message).toList())
              .orTimeout(LONGEST_TRIP.toMillis(), TimeUnit.MILLISECONDS)
              .whenCompleteAsync((answers, failure) -> arrived(batch, answers, failure));
    }
  }

  private void arrived(
      List<Waiting> batch, String @Nullable [] answers, @Nullable Throwable failure) {
    carryNext();
    for (int i = 0; i < batch.size(); i++) {
      String refusal = answers == null ? String.valueOf(failure) : answers[i];
      batch
          .get(i)
          .delivery
          .complete(refusal.isEmpty() ? new Delivery.Delivered() : undelivered(refusal));
    }
  }

  /** Leaves out what has passed its deadline; empty: nothing travels any more. */
  private synchronized List<Waiting> nextBatch() {
    var batch = new ArrayList<Waiting>();
    int bytes = 0;
    while (!waiting.isEmpty() && (batch.isEmpty() || bytes < MOST_BYTES)) {
      Waiting next = waiting.remove();
      bytesWaiting -= next.message.length;
      if (!next.delivery.isDone()) {
        batch.add(next);
        bytes += next.message.length;
      }
    }
    travelling = !batch.isEmpty();
    return batch;
  }

  private Delivery undelivered(String reason) {
    return new Delivery.Undelivered("gateway " + to + ": " + reason);
  }
}
