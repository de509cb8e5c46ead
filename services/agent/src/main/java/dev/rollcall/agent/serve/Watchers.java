package dev.rollcall.agent.serve;

import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.grpc.CallContext;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Clients that watch one kind of event. The call of one that does not keep up ends with that
 * reason.
 */
final class Watchers<E> {
  private final class Watcher<R> {
    private final ServerCallStreamObserver<R> client;
    private final Executor executor;
    private final Predicate<E> wanted;
    private final Function<E, R> message;

    Watcher(
        ServerCallStreamObserver<R> client,
        Executor executor,
        Predicate<E> wanted,
        Function<E, R> message) {
      this.client = client;
      this.executor = executor;
      this.wanted = wanted;
      this.message = message;
    }

    void tell(E event) {
      if (wanted.test(event)) {
        executor.execute(() -> send(event));
      }
    }

    private void send(E event) {
      if (client.isCancelled() || !watchers.contains(this)) {
        return;
      }
      if (client.isReady()) {
        client.onNext(message.apply(event));
      } else {
        watchers.remove(this);
        client.onError(
            Refusal.plain(Status.RESOURCE_EXHAUSTED, "the client reads its stream too slowly"));
      }
    }
  }

  private final Set<Watcher<?>> watchers = ConcurrentHashMap.newKeySet();

  /** The context of a client's call, which ends with the call. Within the service's method. */
  static Context callOf(ServerCallStreamObserver<?> client) {
    // Without a handler gRPC throws when a message is sent to a client that has gone.
    client.setOnCancelHandler(() -> {});
    return Context.current();
  }

  /**
   * Sends a client the events that it wants from now on.
   *
   * @param call by {@link #callOf}
   */
  <R> void add(
      ServerCallStreamObserver<R> client,
      Context call,
      Predicate<E> wanted,
      Function<E, R> message) {
    var watcher = new Watcher<>(client, CallContext.executor(call), wanted, message);
    watchers.add(watcher);
    call.addListener(_ -> watchers.remove(watcher), Runnable::run);
  }

  void tell(E event) {
    List.copyOf(watchers).forEach(watcher -> watcher.tell(event));
  }
}
