package dev.rollcall.wire.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.lang.System.Logger.Level;

/**
 * A call that always ends: what its service throws closes it, what is sent after its end is
 * dropped, and its service is told once when the client has gone. Sending is handed to the call's
 * own context, so services may do it from any thread.
 */
final class GuardedCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
  private static final System.Logger LOG = System.getLogger(GuardedCall.class.getName());

  private final LiveCall live;
  private ServerCall.Listener<Q> listener = new ServerCall.Listener<>() {};
  private volatile boolean over;
  private boolean refused;

  GuardedCall(ServerCall<Q, R> call, LiveCall live) {
    super(call);
    this.live = live;
  }

  ServerCall.Listener<Q> guard(ServerCall.Listener<Q> service) {
    listener = service;
    return new GuardedListener(service);
  }

  @Override
  public void sendHeaders(Metadata headers) {
    whileOpen(() -> super.sendHeaders(headers));
  }

  @Override
  public void sendMessage(R message) {
    whileOpen(() -> super.sendMessage(message));
  }

  @Override
  public void request(int messages) {
    live.execute(() -> super.request(messages));
  }

  @Override
  public void close(Status status, Metadata trailers) {
    live.execute(() -> closeNow(status, trailers));
  }

  @Override
  public boolean isReady() {
    return !over && super.isReady();
  }

  @Override
  public boolean isCancelled() {
    return over;
  }

  private void whileOpen(Runnable send) {
    live.execute(() -> {
      if (!over) {
        send.run();
      }
    });
  }

  private void closeNow(Status status, Metadata trailers) {
    if (over) {
      return;
    }
    if (!status.isOk() && !isReady()) {
      live.resetUnlessRead();
    }
    over = true;
    try {
      super.close(status, trailers);
    } catch (IllegalStateException e) {
      // The deadline has ended the stream, or it was reset, just before.
      LOG.log(Level.DEBUG, "{0}: already closed: {1}", name(), e.getMessage());
      tellCancelled();
    }
    live.end("the call is over");
  }

  /** The client has gone. On the call's context. */
  void cancelled() {
    if (!over) {
      over = true;
      tellCancelled();
    }
  }

  /** Answers the client, and tells the service as if the client had gone. */
  void refuse(Status status) {
    live.execute(() -> {
      if (!over) {
        refused = true;
        closeNow(status, new Metadata());
        tellCancelled();
      }
    });
  }

  private void failed(Throwable cause) {
    refuse(statusOf(cause));
  }

  Status statusOf(Throwable cause) {
    return switch (cause) {
      case StatusRuntimeException e -> e.getStatus();
      case StatusException e -> e.getStatus();
      default -> {
        LOG.log(Level.ERROR, name() + ": its service failed", cause);
        yield Status.INTERNAL.withDescription("the service failed: " + cause);
      }
    };
  }

  private void tellCancelled() {
    try {
      listener.onCancel();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, name() + ": its service failed at the cancellation", e);
    }
  }

  private String name() {
    return getMethodDescriptor().getFullMethodName();
  }

  private final class GuardedListener extends SimpleForwardingServerCallListener<Q> {
    GuardedListener(ServerCall.Listener<Q> service) {
      super(service);
    }

    @Override
    public void onMessage(Q message) {
      guarded(() -> super.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      guarded(super::onHalfClose);
    }

    @Override
    public void onCancel() {
      cancelled();
      live.end("cancelled by the client");
    }

    @Override
    public void onComplete() {
      // A service is told one end: after a refusal, the cancellation.
      if (!refused) {
        guarded(super::onComplete);
      }
    }

    @Override
    public void onReady() {
      guarded(super::onReady);
    }

    private void guarded(Runnable callback) {
      try {
        callback.run();
      } catch (RuntimeException | Error e) {
        failed(e);
      }
    }
  }
}
