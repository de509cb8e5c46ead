package dev.rollcall.wire.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
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
import org.jspecify.annotations.Nullable;

/**
 * A client's call that ends exactly once. The library's own call leaves its listener waiting when
 * it is cancelled early, or when the deadline passes before there is a connection, and drops
 * causes.
 */
final class GuardedClientCall<Q, R> extends SimpleForwardingClientCall<Q, R> {
  private static final GrpcClientOptions OPTIONS =
      new GrpcClientOptions().setMaxMessageSize(MessageLimits.MESSAGE_BYTES);

  private final Vertx vertx;
  private final io.vertx.core.Context context;
  private final @Nullable Deadline deadline;
  private final Executor executor;
  private final Failures failures;
  private @Nullable OnceClosed<R> listener;
  private long timer = -1;

  private GuardedClientCall(
      Vertx vertx,
      ClientCall<Q, R> call,
      CallOptions options,
      @Nullable Deadline deadline,
      Failures failures) {
    super(call);
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.deadline = deadline;
    this.failures = failures;
    Executor chosen = options.getExecutor();
    this.executor = chosen == null ? Runnable::run : chosen;
  }

  static <Q, R> ClientCall<Q, R> of(
      Vertx vertx,
      HttpClient http,
      SocketAddress server,
      String name,
      MethodDescriptor<Q, R> method,
      CallOptions options) {
    Deadline deadline = effective(options);
    var failures = new Failures(name, deadline);
    var client =
        new GrpcIoClientImpl(vertx, OPTIONS, http, false) {
          @Override
          public <A, B> Future<GrpcClientRequest<A, B>> request(
              Address to, MethodDescriptor<A, B> of) {
            return super.<A, B>request(to, of)
                .onFailure(failures::notConnected)
                .onSuccess(request -> connected(request, failures));
          }
        };
    ClientCall<Q, R> call = new GrpcIoClientChannel(client, server).newCall(method, options);
    return new GuardedClientCall<>(vertx, call, options, deadline, failures);
  }

  /**
   * Sends the headers of a call that says nothing at first: the library would wait for a message.
   * Not at once, so that a message that is there already travels with them.
   */
  private static void connected(GrpcClientRequest<?, ?> request, Failures failures) {
    var stream = (GrpcClientRequestImpl<?, ?>) request;
    stream.errorHandler(error -> {
      if (isAnswered(stream)) {
        failures.resetBehindTheAnswer();
      } else {
        failures.reset(error);
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
    var once = new OnceClosed<>(responses, failures, this::ended);
    listener = once;
    failures.onReset(status -> executor.execute(() -> once.onClose(status, new Metadata())));
    if (deadline != null) {
      long left = deadline.timeRemaining(TimeUnit.MILLISECONDS);
      if (left < 1) {
        executor.execute(() -> once.onClose(failures.late(), new Metadata()));
        return;
      }
      timer = vertx.setTimer(left, _ -> stop(failures.late()));
    }
    super.start(once, headers);
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
    return started() && !failures.isReset();
  }

  private boolean started() {
    return listener != null && !listener.closed();
  }

  private void stop(Status status) {
    if (listener != null && started()) {
      failures.stopped(status);
      super.cancel(status.getDescription(), status.getCause());
      OnceClosed<R> once = listener;
      executor.execute(() -> once.onClose(status, new Metadata()));
    }
  }

  private void ended() {
    if (timer >= 0) {
      vertx.cancelTimer(timer);
    }
  }
}
