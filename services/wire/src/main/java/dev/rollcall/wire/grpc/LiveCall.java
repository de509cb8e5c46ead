package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import dev.rollcall.wire.memory.MemoryUse;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call that a server is serving: its Vert.x context, on which alone its stream may be touched,
 * and its gRPC context, which ends when the call does, for whatever reason.
 */
final class LiveCall implements Executor {
  private static final long UNREAD_FOR_MILLIS = 5_000;

  static final Context.Key<LiveCall> KEY = Context.key("rollcall-live-call");

  private final io.vertx.core.Context vertx = requireNonNull(Vertx.currentContext());
  private final Context.CancellableContext context;
  private final AtomicInteger queued = new AtomicInteger();
  private @Nullable GuardedCall<?, ?> call;
  private boolean started;

  private final Map<Long, Runnable> timers = new HashMap<>();
  private boolean streamClosed;
  private final Runnable reset;
  private final Optional<HeldMemory> memory;
  private long unread;

  /**
   * @param atEnd told once, when the call is over
   * @param reset ends its stream for good
   * @param memory of its stream; absent where who reads the answers counts them
   */
  LiveCall(Peer peer, Consumer<LiveCall> atEnd, Runnable reset, Optional<HeldMemory> memory) {
    this.reset = reset;
    this.memory = memory;
    context =
        Context.ROOT
            .withValues(KEY, this, Peer.KEY, peer, CallContext.EXECUTOR, (Executor) this)
            .withCancellation();
    context.addListener(_ -> atEnd.accept(this), Runnable::run);
  }

  /** Runs the bridge's handler of the call, which starts it. */
  void start(Runnable handler) {
    context.run(handler);
    started = true;
  }

  void guard(GuardedCall<?, ?> guarded) {
    this.call = guarded;
  }

  /** On the call's context, after all that was queued before. */
  @Override
  public void execute(Runnable task) {
    // Until it has started the bridge's streams are not connected; what a service sends then waits.
    if (started && queued.get() == 0 && vertx.equals(Vertx.currentContext())) {
      task.run();
      return;
    }
    queued.incrementAndGet();
    vertx.runOnContext(_ -> {
      queued.decrementAndGet();
      task.run();
    });
  }

  /** Whether a message of so many bytes may wait until the client reads. On the call's context. */
  boolean mayWait(long bytes) {
    if (memory.isPresent() && !memory.get().take(MemoryUse.OUTGOING, bytes)) {
      return false;
    }
    unread += bytes;
    return true;
  }

  /** The client has read what was sent, but for the little that fits a stream's queue. */
  void read() {
    memory.ifPresent(held -> held.release(unread));
    unread = 0;
  }

  /** The client has gone: by its own will or with its connection. */
  void cancel(String reason) {
    execute(() -> {
      if (call != null) {
        call.cancelled();
      }
      end(reason);
    });
  }

  /** The client said what it may not. */
  void refuse(Status status) {
    if (call != null) {
      call.refuse(status);
    }
  }

  /** The same, with what tells why. */
  void fail(StatusRuntimeException why) {
    if (call != null) {
      call.failed(why);
    }
  }

  /** A client that does not read would never see the end, and what it has not read would stay. */
  void resetUnlessRead() {
    after(UNREAD_FOR_MILLIS, reset);
  }

  /** On the call's context, when so much time has passed or its stream is closed before. */
  void after(long millis, Runnable task) {
    if (streamClosed) {
      execute(task);
    } else {
      timers.put(vertx.owner().setTimer(millis, _ -> execute(task)), task);
    }
  }

  /** A timer would hold the call, and what it was asked, until it is due: it is due now. */
  void streamClosed() {
    streamClosed = true;
    timers.forEach((timer, task) -> {
      if (vertx.owner().cancelTimer(timer)) {
        execute(task);
      }
    });
    timers.clear();
  }

  /** Ends the gRPC context; those who listen to it are told on their own executors. */
  void end(String reason) {
    context.cancel(Status.CANCELLED.withDescription(reason).asRuntimeException());
  }
}
