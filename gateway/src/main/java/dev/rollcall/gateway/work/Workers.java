package dev.rollcall.gateway.work;

import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Runs blocking tasks, each on its own virtual thread, up to a limit of tasks. */
public final class Workers implements AutoCloseable {
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("gateway-work-", 0).factory());
  private final Semaphore room;
  private final int most;

  /**
   * @param most how many tasks may be running or waiting at once
   */
  public Workers(int most) {
    this.most = most;
    this.room = new Semaphore(most);
  }

  /** Fails with RESOURCE_EXHAUSTED at once when there is no room, else as the task does. */
  public <T> CompletableFuture<T> run(Callable<T> task) {
    if (!room.tryAcquire()) {
      return noRoom();
    }
    var done = new CompletableFuture<T>();
    try {
      threads.execute(() -> finish(task, done));
    } catch (RuntimeException e) {
      room.release();
      done.completeExceptionally(e);
    }
    return done;
  }

  /** Counts something that others do without a thread of ours, until it ends, as a task. */
  public <T> CompletableFuture<T> follow(Supplier<CompletableFuture<T>> begin) {
    if (!room.tryAcquire()) {
      return noRoom();
    }
    CompletableFuture<T> under;
    try {
      under = begin.get();
    } catch (RuntimeException e) {
      under = CompletableFuture.failedFuture(e);
    }
    return under.whenComplete((_, _) -> room.release());
  }

  private <T> CompletableFuture<T> noRoom() {
    return CompletableFuture.failedFuture(
        Refusal.of(
                Reason.GATEWAY_BUSY, "the gateway is busy: " + most + " requests wait for the roll")
            .again(AGAIN)
            .exception());
  }

  private <T> void finish(Callable<T> task, CompletableFuture<T> done) {
    try {
      T result = task.call();
      room.release();
      done.complete(result);
    } catch (Exception | Error e) {
      room.release();
      done.completeExceptionally(e);
    }
  }

  /** How many tasks are running or waiting. */
  public int underWay() {
    return most - room.availablePermits();
  }

  /** Takes no more; what runs ends by its own bounds. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
