package dev.rollcall.gateway.limit;

import dev.rollcall.wire.pace.Bucket;
import dev.rollcall.wire.pace.Rate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Slows one node's stream down when it sends more than its rate, so that other nodes do not wait.
 */
public final class StreamThrottle {
  /** A node that tells its whole state, or a big job's start, is not slowed down. */
  private static final Rate EVENTS = new Rate(2_000, 10_000);

  private final Bucket bucket;
  private final Executor executor;

  /** Of all events of a stream. */
  public StreamThrottle(Executor executor) {
    this(executor, EVENTS);
  }

  public StreamThrottle(Executor executor, Rate rate) {
    this.bucket = new Bucket(rate, System.nanoTime());
    this.executor = executor;
  }

  /** An event was as much work as so many more. */
  public void charge(int events) {
    bucket.charge(events, System.nanoTime());
  }

  /** Does this when one more event may come: at once, or later on the executor. */
  public void next(Runnable ask) {
    long wait = bucket.owe(System.nanoTime());
    if (wait == 0) {
      ask.run();
    } else {
      CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS, executor).execute(ask);
    }
  }
}
