package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import dev.rollcall.wire.BadWordException;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A call of a service, by gRPC or by JSON, which always ends: by its service, by what that throws,
 * by its deadline, or when its client goes. What is sent after the end is dropped, and the service
 * is told of it once. {@link Peer#current()} is the client while the service's code runs.
 *
 * <p>Made and used on one Vert.x context, where its client is told too. Services may send, request
 * and close from any thread.
 */
public final class ServiceCall<Q, R> extends ServerCall<Q, R> {
  private static final System.Logger LOG = System.getLogger(ServiceCall.class.getName());
  private static final Status LATE =
      Status.DEADLINE_EXCEEDED.withDescription("the deadline has passed");

  /** Sends a call's answers to the client. */
  public interface Client<R> {
    /** Whether more may be sent without it being kept in memory. */
    boolean isReady();

    default void headers(Metadata headers) {}

    /**
     * An exception of this method ends the call: with its status, or with INTERNAL for a message
     * that cannot be written.
     */
    void message(R message);

    /** Told once, also after the client has gone. */
    void end(Status status, Metadata trailers);
  }

  private final io.vertx.core.Context vertx = requireNonNull(Vertx.currentContext());
  private final ServerMethodDefinition<Q, R> method;
  private final Client<R> client;
  private final Context.CancellableContext context;
  private final AtomicInteger queued = new AtomicInteger();
  private final Deque<Supplier<Q>> requests = new ArrayDeque<>();
  private ServerCall.Listener<Q> service = new ServerCall.Listener<>() {};
  private Runnable whenWanted = () -> {};
  private LongConsumer requestBytes = _ -> {};
  private int wanted;
  private boolean started;
  private boolean delivering;
  private boolean saidAll;
  private volatile boolean over;

  /**
   * @param deadline after which the answer is DEADLINE_EXCEEDED
   */
  public ServiceCall(
      ServerMethodDefinition<Q, R> method,
      Peer peer,
      Optional<Deadline> deadline,
      Client<R> client) {
    this.method = method;
    this.client = client;
    Context values =
        Context.ROOT.withValues(
            Peer.KEY,
            peer,
            CallContext.EXECUTOR,
            (Executor) task -> execute(task),
            CallContext.REQUEST_BYTES,
            (Consumer<LongConsumer>) listener -> requestBytes = listener);
    context =
        deadline.isPresent()
            ? values.withDeadline(deadline.get(), ((ContextInternal) vertx).nettyEventLoop())
            : values.withCancellation();
  }

  /** Calls the service. The call may end at once. */
  public void start(Metadata headers) {
    context.addListener(
        ended -> {
          if (ended.cancellationCause() instanceof TimeoutException) {
            execute(() -> refuse(LATE, new Metadata()));
          }
        },
        Runnable::run);
    context.run(() -> {
      try {
        service = method.getServerCallHandler().startCall(this, headers);
      } catch (RuntimeException | Error e) {
        failed(e);
      }
    });
    started = true;
    deliver();
    ready();
  }

  /**
   * The client's next message.
   *
   * @param request reads it when the service wants it, and tells its bytes to {@link #read}; what
   *     this throws ends the call
   */
  public void say(Supplier<Q> request) {
    requests.add(request);
    deliver();
  }

  /** So many bytes of requests are read now; those who count them are told. */
  public void read(long bytes) {
    requestBytes.accept(bytes);
  }

  /** The client sends no more messages. */
  public void saidAll() {
    saidAll = true;
    deliver();
  }

  /** Whether another message would be delivered at once, or dropped. */
  public boolean wants() {
    return over || wanted > requests.size();
  }

  /** Runs this once, when the service wants a message that is not there. */
  public void whenWanted(Runnable task) {
    whenWanted = task;
    askForMore();
  }

  private void askForMore() {
    if (wanted > requests.size()) {
      Runnable task = whenWanted;
      whenWanted = () -> {};
      task.run();
    }
  }

  /** Delivers as many messages as are wanted, in their order, and then the end of them. */
  private void deliver() {
    if (!started || delivering) {
      return;
    }
    delivering = true;
    while (wanted > 0 && !over && !requests.isEmpty()) {
      wanted--;
      deliver(requests.remove());
    }
    delivering = false;
    if (saidAll && !over && requests.isEmpty()) {
      saidAll = false;
      guarded(service::onHalfClose);
    }
  }

  private void deliver(Supplier<Q> next) {
    Q request;
    try {
      request = next.get();
    } catch (StatusRuntimeException e) {
      failed(e);
      return;
    } catch (BadWordException e) {
      failed(e.refusal());
      return;
    } catch (RuntimeException e) {
      refuse(Status.INTERNAL.withDescription("a message could not be read: " + e));
      return;
    }
    guarded(() -> service.onMessage(request));
  }

  private void guarded(Runnable callback) {
    context.run(() -> {
      try {
        callback.run();
      } catch (RuntimeException | Error e) {
        failed(e);
      }
    });
  }

  /** The client can take more. */
  public void ready() {
    if (!over && client.isReady()) {
      guarded(service::onReady);
    }
  }

  /** The client has gone: by its own will or with its connection. */
  public void cancel(String reason) {
    execute(() -> {
      if (!over) {
        over = true;
        tellClient(Status.CANCELLED.withDescription("the call was cancelled"), new Metadata());
        tellCancelled();
      }
      context.cancel(Status.CANCELLED.withDescription(reason).asRuntimeException());
    });
  }

  /** Its stream is over: nobody reads what it has sent. */
  void streamClosed() {
    if (!over) {
      cancel("the stream was closed");
    }
  }

  /**
   * Ends the call because of the client's request. The service is told as if the client had gone.
   */
  public void refuse(StatusRuntimeException why) {
    failed(why);
  }

  void refuse(Status status) {
    execute(() -> refuse(status, new Metadata()));
  }

  private void refuse(Status status, Metadata trailers) {
    if (end(status, trailers)) {
      tellCancelled();
    }
  }

  private void failed(Throwable cause) {
    Status status =
        switch (cause) {
          case StatusRuntimeException e -> e.getStatus();
          case StatusException e -> e.getStatus();
          default -> {
            LOG.log(Level.ERROR, name() + ": its service failed", cause);
            yield Status.INTERNAL.withDescription("the service failed: " + cause);
          }
        };
    Metadata trailers = Status.trailersFromThrowable(cause);
    execute(() -> refuse(status, trailers == null ? new Metadata() : trailers));
  }

  private boolean end(Status status, Metadata trailers) {
    if (over) {
      return false;
    }
    over = true;
    requests.clear();
    tellClient(status, trailers);
    context.cancel(Status.CANCELLED.withDescription("the call is over").asRuntimeException());
    return true;
  }

  private void tellClient(Status status, Metadata trailers) {
    try {
      client.end(status, trailers);
    } catch (IllegalStateException e) {
      // Its stream was reset just before.
      LOG.log(Level.DEBUG, "{0}: already closed: {1}", name(), e.getMessage());
    }
  }

  private void tellCancelled() {
    requests.clear();
    context.run(() -> {
      try {
        service.onCancel();
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, name() + ": its service failed at the cancellation", e);
      }
    });
  }

  private String name() {
    return method.getMethodDescriptor().getFullMethodName();
  }

  /** On the call's context, after all that was queued before. */
  private void execute(Runnable task) {
    // What a service sends before its method has returned waits until then.
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

  private void whileOpen(Runnable send) {
    execute(() -> {
      if (!over) {
        send.run();
      }
    });
  }

  @Override
  public void request(int messages) {
    execute(() -> {
      wanted = (int) Math.min(Integer.MAX_VALUE, (long) wanted + messages);
      deliver();
      askForMore();
    });
  }

  @Override
  public void sendHeaders(Metadata headers) {
    whileOpen(() -> client.headers(headers));
  }

  @Override
  public void sendMessage(R message) {
    whileOpen(() -> {
      try {
        client.message(message);
      } catch (StatusRuntimeException e) {
        // At once: the service's own end may be the next.
        refuse(e.getStatus(), new Metadata());
      } catch (RuntimeException e) {
        // Without the stack: the cause is in the data.
        LOG.log(Level.WARNING, "{0}: an answer cannot be written: {1}", name(), e);
        refuse(
            Status.INTERNAL.withDescription("an answer cannot be written: " + e.getMessage()),
            new Metadata());
      }
    });
  }

  @Override
  public void close(Status status, Metadata trailers) {
    execute(() -> {
      if (end(status, trailers)) {
        // Not from within what the service does just now.
        vertx.runOnContext(_ -> guarded(service::onComplete));
      }
    });
  }

  @Override
  public boolean isReady() {
    return !over && client.isReady();
  }

  @Override
  public boolean isCancelled() {
    return over;
  }

  @Override
  public MethodDescriptor<Q, R> getMethodDescriptor() {
    return method.getMethodDescriptor();
  }
}
