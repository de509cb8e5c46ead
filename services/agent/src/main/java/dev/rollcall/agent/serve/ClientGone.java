package dev.rollcall.agent.serve;

import io.grpc.stub.ServerCallStreamObserver;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a client has disconnected. gRPC takes a cancel handler only before the service
 * returns, and what is to be ended is often there later.
 */
final class ClientGone {
  private @Nullable Runnable end;
  private boolean gone;

  private ClientGone() {}

  /** Within the service's method. */
  static ClientGone of(ServerCallStreamObserver<?> client) {
    var gone = new ClientGone();
    client.setOnCancelHandler(gone::happened);
    return gone;
  }

  synchronized void then(Runnable action) {
    if (gone) {
      action.run();
    } else {
      end = action;
    }
  }

  private synchronized void happened() {
    gone = true;
    if (end != null) {
      end.run();
    }
  }
}
