package dev.rollcall.wire.grpc;

import com.google.protobuf.MessageLite;
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
 * dropped, and its service is told once when the client has disconnected. Sending is handed to the
 * call's own context, so services may do it from any thread.
 */
final class GuardedCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
  private static final System.Logger LOG = System.getLogger(GuardedCall.class.getName());

  private static final Status UNREAD =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "the answers that this peer has not read hold all the memory that it may use");

  /** What an answer costs beside its bytes. */
  private static final int MESSAGE_COST = 256;

  private static final int REQUEST_AND_ITS_END = 2;
  private static final long HALF_CLOSE_MILLIS = 1_000;

  private final LiveCall live;
  private final boolean hearsOut;
  private ServerCall.Listener<Q> listener = new ServerCall.Listener<>() {};
  private volatile boolean over;
  private boolean refused;
  private boolean heardOut;
  private boolean closed;
  private Runnable atHalfClose = () -> {};

  GuardedCall(ServerCall<Q, R> call, LiveCall live, boolean hearsOut) {
    super(call);
    this.live = live;
    this.hearsOut = hearsOut && call.getMethodDescriptor().getType().clientSendsOneMessage();
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
    whileOpen(() -> {
      if (super.isReady()) {
        live.read();
      }
      if (live.mayWait(MESSAGE_COST + bytes(message))) {
        super.sendMessage(message);
      } else {
        refuse(UNREAD);
      }
    });
  }

  private static long bytes(Object message) {
    return message instanceof MessageLite lite ? lite.getSerializedSize() : 0;
  }

  @Override
  public void request(int messages) {
    live.execute(() -> super.request(messages));
  }

  @Override
  public void close(Status status, Metadata trailers) {
    live.execute(() -> closeHeardOut(status, trailers));
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

  /**
   * Ends the call when its only request has come. A stream that is closed before that is reset, and
   * a client that sees both at once may take the reset for the answer.
   */
  private void closeHeardOut(Status status, Metadata trailers) {
    if (heardOut || over || !hearsOut) {
      closeNow(status, trailers);
      return;
    }
    over = true;
    atHalfClose = () -> closeStream(status, trailers);
    super.request(REQUEST_AND_ITS_END);
    live.after(HALF_CLOSE_MILLIS, atHalfClose);
  }

  private void closeNow(Status status, Metadata trailers) {
    if (!over) {
      over = true;
      closeStream(status, trailers);
    }
  }

  private void closeStream(Status status, Metadata trailers) {
    if (closed) {
      return;
    }
    closed = true;
    if (!status.isOk() && !super.isReady()) {
      live.resetUnlessRead();
    }
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
    boolean toBeClosed = over && !closed && !refused; // when its request has ended
    closed = true;
    if (!over || toBeClosed) {
      over = true;
      tellCancelled();
    }
  }

  /** Answers the client at once, and tells the service as if the client had gone. */
  void refuse(Status status) {
    refuse(() -> closeNow(status, new Metadata()));
  }

  /** The same for what its service threw. */
  void failed(Throwable cause) {
    Status status = statusOf(cause);
    Metadata told = Status.trailersFromThrowable(cause);
    Metadata trailers = told == null ? new Metadata() : told;
    refuse(() -> closeHeardOut(status, trailers));
  }

  private void refuse(Runnable close) {
    live.execute(() -> {
      if (!over) {
        refused = true;
        close.run();
        tellCancelled();
      }
    });
  }

  private Status statusOf(Throwable cause) {
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
      if (!over) {
        guarded(() -> super.onMessage(message));
      }
    }

    @Override
    public void onHalfClose() {
      heardOut = true;
      if (over) {
        atHalfClose.run();
      } else {
        guarded(super::onHalfClose);
      }
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
      live.read();
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
