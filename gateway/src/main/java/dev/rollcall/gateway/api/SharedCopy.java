package dev.rollcall.gateway.api;

import dev.rollcall.gateway.work.Workers;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps a copy of what is expensive to read, for all clients. It is read at most once a second, and
 * only when a client wants it; one read is under way at a time. Thread-safe.
 */
final class SharedCopy<T> {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Callable<T> read;
  private final Workers workers;
  private final LongSupplier nanoClock;
  private CompletableFuture<T> copy = CompletableFuture.failedFuture(new IllegalStateException());
  private long begun;

  SharedCopy(Callable<T> read, Workers workers, LongSupplier nanoClock) {
    this.read = read;
    this.workers = workers;
    this.nanoClock = nanoClock;
  }

  /** The last copy, if its read began within the last second or is under way; else a new one. */
  synchronized CompletableFuture<T> get() {
    boolean fresh = !copy.isCompletedExceptionally() && nanoClock.getAsLong() - begun < SECOND;
    if (copy.isDone() && !fresh) {
      begun = nanoClock.getAsLong();
      copy = workers.run(read);
    }
    return copy;
  }
}
