package dev.rollcall.agent.serve;

import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.grpc.CallContext;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;

/** Clients that watch one kind of event. One that does not keep up is let go, and told so. */
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

  /** Tells a client what it wants to hear from now on. Within the service's method. */
  <R> void add(
      ServerCallStreamObserver<R> client,
      ClientGone gone,
      Predicate<E> wanted,
      Function<E, R> message) {
    add(client, gone, CallContext.executor(), wanted, message);
  }

  /** The same after the service's method has returned. */
  <R> void add(
      ServerCallStreamObserver<R> client,
      ClientGone gone,
      Executor executor,
      Predicate<E> wanted,
      Function<E, R> message) {
    var watcher = new Watcher<>(client, executor, wanted, message);
    watchers.add(watcher);
    gone.then(() -> watchers.remove(watcher));
  }

  void tell(E event) {
    List.copyOf(watchers).forEach(watcher -> watcher.tell(event));
  }
}
