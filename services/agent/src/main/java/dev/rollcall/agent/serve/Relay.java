package dev.rollcall.agent.serve;

import dev.rollcall.wire.grpc.CallContext;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes a stream of the gateway on to a client, as fast as the client reads: what it does not read
 * stays at the gateway, which ends a stream that falls too far behind. The agent's heap is
 * everybody's.
 */
final class Relay<Q, R> {
  private final ServerCallStreamObserver<R> client;
  private final Executor executor;
  private @Nullable ClientCallStreamObserver<Q> call; // this and the next on the executor alone
  private boolean owed;

  private Relay(ServerCallStreamObserver<R> client, Executor executor) {
    this.client = client;
    this.executor = executor;
  }

  /** Within the service's method, which is when gRPC takes a handler. */
  static <Q, R> Relay<Q, R> to(ServerCallStreamObserver<R> client) {
    var relay = new Relay<Q, R>(client, CallContext.executor());
    client.setOnReadyHandler(relay::askForMore);
    return relay;
  }

  /**
   * Begins, now or later.
   *
   * @param served the context of the client's call
   */
  void pass(Q request, BiConsumer<Q, StreamObserver<R>> from, Context served) {
    executor.execute(() -> {
      from.accept(request, new FromGateway());
      served.addListener(_ -> executor.execute(this::clientGone), Runnable::run);
    });
  }

  private void askForMore() {
    if (owed && call != null && client.isReady()) {
      owed = false;
      call.request(1);
    }
  }

  private void clientGone() {
    if (call != null) {
      call.cancel("the client has disconnected", null);
    }
  }

  private final class FromGateway implements ClientResponseObserver<Q, R> {
    @Override
    public void beforeStart(ClientCallStreamObserver<Q> started) {
      call = started;
      started.disableAutoRequestWithInitial(1);
    }

    @Override
    public void onNext(R response) {
      executor.execute(() -> {
        if (client.isCancelled()) {
          clientGone();
        } else {
          client.onNext(response);
          owed = true;
          askForMore();
        }
      });
    }

    @Override
    public void onError(Throwable cause) {
      executor.execute(() -> {
        if (!client.isCancelled()) {
          client.onError(Status.fromThrowable(cause).asRuntimeException());
        }
      });
    }

    @Override
    public void onCompleted() {
      executor.execute(() -> {
        if (!client.isCancelled()) {
          client.onCompleted();
        }
      });
    }
  }
}
