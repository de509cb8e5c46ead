package dev.rollcall.client;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream that reconnects when it breaks, until it is closed or refused. Between two streams
 * something may be missed; {@link Listener#interrupted} says when.
 */
public final class Watch<T> implements AutoCloseable {
  /** Hears a watch, one call at a time; on a thread of the channel, which it must not block. */
  public interface Listener<T> {
    void told(T message);

    /** The stream broke, and is begun anew after a while. */
    default void interrupted(Status why) {}

    /** It is over for good: refused, for a reason that another try would not change. */
    default void refused(Status why) {}
  }

  private static final Set<Status.Code> FOR_GOOD =
      Set.of(
          Status.Code.INVALID_ARGUMENT,
          Status.Code.PERMISSION_DENIED,
          Status.Code.UNAUTHENTICATED,
          Status.Code.UNIMPLEMENTED);

  private final Consumer<StreamObserver<T>> begin;
  private final Listener<T> listener;
  private final Duration longestPause;
  private int failures;
  private boolean closed;
  private Context.@Nullable CancellableContext stream;

  private Watch(Consumer<StreamObserver<T>> begin, Listener<T> listener, Duration longestPause) {
    this.begin = begin;
    this.listener = listener;
    this.longestPause = longestPause;
  }

  static <T> Watch<T> start(
      Consumer<StreamObserver<T>> begin, Listener<T> listener, Duration longestPause) {
    var watch = new Watch<>(begin, listener, longestPause);
    watch.open();
    return watch;
  }

  private void open() {
    Context.CancellableContext context;
    synchronized (this) {
      if (closed) {
        return;
      }
      context = Context.ROOT.withCancellation();
      stream = context;
    }
    context.run(() -> begin.accept(new Stream()));
  }

  /** Nothing is told any more once this has returned, but for what is being told now. */
  @Override
  public void close() {
    Context.CancellableContext open;
    synchronized (this) {
      closed = true;
      open = stream;
    }
    if (open != null) {
      open.cancel(null);
    }
  }

  private synchronized boolean isOver() {
    return closed;
  }

  private final class Stream implements StreamObserver<T> {
    @Override
    public void onNext(T message) {
      if (!isOver()) {
        failures = 0;
        listener.told(message);
      }
    }

    @Override
    public void onError(Throwable cause) {
      ended(Status.fromThrowable(cause), Refused.of(cause).again());
    }

    @Override
    public void onCompleted() {
      ended(Status.UNAVAILABLE.withDescription("the gateway ended the stream"), Optional.empty());
    }

    private void ended(Status why, Optional<Duration> again) {
      if (isOver()) {
        return;
      }
      if (FOR_GOOD.contains(why.getCode())) {
        close();
        listener.refused(why);
        return;
      }
      listener.interrupted(why);
      failures++;
      CompletableFuture.delayedExecutor(
              Math.max(pauseMillis(), least(again).toMillis()), TimeUnit.MILLISECONDS)
          .execute(Watch.this::open);
    }

    /** What the gateway asks for, but no longer than the longest pause. */
    private Duration least(Optional<Duration> again) {
      return again.filter(asked -> asked.compareTo(longestPause) < 0).orElse(Duration.ZERO);
    }

    /** Doubles from 250 ms, with up to as much again, so that watchers do not come all at once. */
    private long pauseMillis() {
      long pause = Math.min(longestPause.toMillis(), 125L << Math.min(failures, 10));
      return pause + ThreadLocalRandom.current().nextLong(pause + 1);
    }
  }
}
