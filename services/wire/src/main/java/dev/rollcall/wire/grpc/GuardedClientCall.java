package dev.rollcall.wire.grpc;

import static java.util.Objects.requireNonNull;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.net.Address;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.impl.GrpcClientRequestImpl;
import io.vertx.grpcio.client.GrpcIoClientChannel;
import io.vertx.grpcio.client.impl.GrpcIoClientImpl;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A client's call that ends exactly once. The library's own call leaves its listener waiting when
 * it is cancelled early, or when the deadline passes before there is a connection, and drops
 * causes.
 */
final class GuardedClientCall<Q, R> extends ForwardingClientCall<Q, R> {
  private static final GrpcClientOptions OPTIONS =
      new GrpcClientOptions().setMaxMessageSize(MessageLimits.MESSAGE_BYTES);

  private final Vertx vertx;
  private final io.vertx.core.Context context;
  private final @Nullable Deadline deadline;
  private final Executor executor;
  private final Failures failures;
  private final ClientCall<Q, R> library;
  private @Nullable Listener<R> listener;
  private long timer = -1;
  private boolean reset;

  /** The cause of its end, if that is known here: the library makes a status of its own of it. */
  private volatile @Nullable Status cause;

  private final AtomicBoolean closed = new AtomicBoolean();

  GuardedClientCall(
      Vertx vertx,
      HttpClient http,
      SocketAddress address,
      String server,
      MethodDescriptor<Q, R> method,
      CallOptions options) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.deadline = effective(options);
    this.failures = new Failures(server, deadline);
    Executor chosen = options.getExecutor();
    this.executor = chosen == null ? Runnable::run : chosen;
    var client =
        new GrpcIoClientImpl(vertx, OPTIONS, http, false) {
          @Override
          public <A, B> Future<GrpcClientRequest<A, B>> request(
              Address to, MethodDescriptor<A, B> of) {
            return super.<A, B>request(to, of)
                .onFailure(e -> cause = failures.notConnected(e))
                .onSuccess(GuardedClientCall.this::connected);
          }
        };
    this.library = new GrpcIoClientChannel(client, address).newCall(method, options);
  }

  @Override
  protected ClientCall<Q, R> delegate() {
    return library;
  }

  /**
   * Sends the headers of a call that says nothing at first: the library would wait for a message.
   * Not at once, so that a message that is there already travels with them.
   */
  private void connected(GrpcClientRequest<?, ?> request) {
    var stream = (GrpcClientRequestImpl<?, ?>) request;
    stream.errorHandler(error -> {
      // The library does not tell of it.
      reset = true;
      if (!isAnswered(stream)) { // else, RFC 9113, section 8.1: no more of the request is needed
        close(failures.reset(error));
      }
    });
    stream
        .context()
        .runOnContext(_ -> {
          if (!stream.isHeadersSent() && !stream.isCancelled()) {
            stream.writeHead();
          }
        });
  }

  /** Whether the status has come, though it may yet wait until messages before it are read. */
  private static boolean isAnswered(GrpcClientRequestImpl<?, ?> request) {
    var response = request.response();
    return response.succeeded()
        && (response.result().status() != null
            || response.result().trailers().contains("grpc-status"));
  }

  private static @Nullable Deadline effective(CallOptions options) {
    Deadline own = options.getDeadline();
    Deadline outer = Context.current().getDeadline();
    return own == null || (outer != null && outer.isBefore(own)) ? outer : own;
  }

  /**
   * The library's call and the announcement above expect one thread: a caller's own thread may be
   * late with the headers of a request that is announced already. The event loop of another Vert.x
   * is such a thread.
   */
  private void onLoop(Runnable step) {
    io.vertx.core.Context current = Vertx.currentContext();
    if (current != null
        && vertx.equals(current.owner())
        && io.vertx.core.Context.isOnEventLoopThread()) {
      step.run();
    } else {
      context.runOnContext(_ -> step.run());
    }
  }

  @Override
  public void start(Listener<R> responses, Metadata headers) {
    onLoop(() -> begin(responses, headers));
  }

  private void begin(Listener<R> responses, Metadata headers) {
    listener = new Once(responses);
    if (deadline != null) {
      long left = deadline.timeRemaining(TimeUnit.MILLISECONDS);
      if (left < 1) {
        close(failures.late());
        return;
      }
      timer = vertx.setTimer(left, _ -> stop(failures.late()));
    }
    try {
      super.start(listener, headers);
    } catch (RuntimeException e) { // no answer would end it
      close(failures.notConnected(e));
    }
  }

  private void close(Status status) {
    Listener<R> told = requireNonNull(listener);
    executor.execute(() -> told.onClose(status, new Metadata()));
  }

  @Override
  public void request(int messages) {
    onLoop(() -> super.request(messages));
  }

  @Override
  public void sendMessage(Q message) {
    onLoop(() -> {
      if (listens()) {
        super.sendMessage(message);
      }
    });
  }

  @Override
  public void halfClose() {
    onLoop(() -> {
      if (listens()) {
        super.halfClose();
      }
    });
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    onLoop(() -> stop(Status.CANCELLED.withDescription(message).withCause(cause)));
  }

  /** Whether the server may still read what is sent. */
  private boolean listens() {
    return started() && !reset;
  }

  private boolean started() {
    return listener != null && !closed.get();
  }

  private void stop(Status status) {
    if (started()) {
      cause = cause == null ? status : cause;
      try {
        super.cancel(status.getDescription(), status.getCause());
      } finally {
        close(status);
      }
    }
  }

  /** Passes on one end, with a status that names its cause, and nothing after it. */
  private final class Once extends SimpleForwardingClientCallListener<R> {
    Once(Listener<R> responses) {
      super(responses);
    }

    @Override
    public void onHeaders(Metadata headers) {
      if (!closed.get()) {
        super.onHeaders(headers);
      }
    }

    @Override
    public void onMessage(R message) {
      if (!closed.get()) {
        super.onMessage(message);
      }
    }

    @Override
    public void onReady() {
      if (!closed.get()) {
        super.onReady();
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (closed.compareAndSet(false, true)) {
        if (timer >= 0) {
          vertx.cancelTimer(timer);
        }
        Status known = cause;
        super.onClose(known == null ? failures.told(status, trailers) : known, trailers);
      }
    }
  }
}
