package dev.rollcall.gateway.identity;

import io.grpc.ServerCall;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a client says until its call begins. A call that has not begun has asked for no
 * message, so that little can come. On the call's executor.
 */
final class WaitingCall<Q> extends ServerCall.Listener<Q> {
  private final Queue<Consumer<ServerCall.Listener<Q>>> kept = new ArrayDeque<>();
  private ServerCall.@Nullable Listener<Q> listener;
  private boolean over;

  /** Begins the call, unless its client has gone. */
  void goOn(Supplier<ServerCall.Listener<Q>> start) {
    if (over) {
      return;
    }
    ServerCall.Listener<Q> begun = start.get();
    listener = begun;
    kept.forEach(event -> event.accept(begun));
    kept.clear();
  }

  void drop() {
    over = true;
    kept.clear();
  }

  private void pass(Consumer<ServerCall.Listener<Q>> event) {
    ServerCall.Listener<Q> begun = listener;
    if (begun != null) {
      event.accept(begun);
    } else if (!over) {
      kept.add(event);
    }
  }

  @Override
  public void onMessage(Q message) {
    pass(begun -> begun.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    pass(ServerCall.Listener::onHalfClose);
  }

  @Override
  public void onCancel() {
    if (listener == null) {
      drop();
    }
    pass(ServerCall.Listener::onCancel);
  }

  @Override
  public void onComplete() {
    pass(ServerCall.Listener::onComplete);
  }

  @Override
  public void onReady() {
    pass(ServerCall.Listener::onReady);
  }
}
