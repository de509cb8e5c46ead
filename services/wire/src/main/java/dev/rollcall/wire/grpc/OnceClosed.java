package dev.rollcall.wire.grpc;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes on one end of a call, with a status that names its cause, and nothing after it. */
final class OnceClosed<R> extends SimpleForwardingClientCallListener<R> {
  private final Failures failures;
  private final Runnable atEnd;
  private final AtomicBoolean closed = new AtomicBoolean();

  OnceClosed(ClientCall.Listener<R> listener, Failures failures, Runnable atEnd) {
    super(listener);
    this.failures = failures;
    this.atEnd = atEnd;
  }

  boolean closed() {
    return closed.get();
  }

  @Override
  public void onHeaders(Metadata headers) {
    if (!closed()) {
      super.onHeaders(headers);
    }
  }

  @Override
  public void onMessage(R message) {
    if (!closed()) {
      super.onMessage(message);
    }
  }

  @Override
  public void onReady() {
    if (!closed()) {
      super.onReady();
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (closed.compareAndSet(false, true)) {
      atEnd.run();
      super.onClose(failures.told(status, trailers), trailers);
    }
  }
}
