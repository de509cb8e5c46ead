package dev.rollcall.roll;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import dev.rollcall.port.RollUnavailableException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Bounds what a caller of the grid waits. Hazelcast's own timeouts are per operation and stretch
 * when a member hangs without dying; this one is for all that a method does.
 */
final class GridTimeout implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Duration bound;

  GridTimeout(Duration bound) {
    this.bound = bound;
  }

  /** Runs the body on a virtual thread; it is interrupted when the bound is passed. */
  <T> T call(String what, Callable<T> body) {
    try {
      return await(what, threads.submit(body));
    } catch (RejectedExecutionException e) {
      throw new RollUnavailableException(what + ": the roll is closed", e);
    }
  }

  void run(String what, Runnable body) {
    call(what, Executors.callable(body, true));
  }

  <T> T await(String what, Future<T> future) {
    try {
      return future.get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new RollUnavailableException(
          what + ": the cluster of gateways did not answer within " + bound.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new RollUnavailableException(what + ": interrupted", e);
    } catch (ExecutionException e) {
      throw unavailable(what, e.getCause() == null ? e : e.getCause());
    }
  }

  static RuntimeException unavailable(String what, Throwable cause) {
    return switch (cause) {
      case HazelcastException _, HazelcastInstanceNotActiveException _ ->
          new RollUnavailableException(what + ": " + cause.getMessage(), cause);
      case RuntimeException bug -> bug;
      case Error error -> throw error;
      default -> new RollUnavailableException(what + ": " + cause.getMessage(), cause);
    };
  }

  /** Does not wait for what is running. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
