package dev.rollcall.gateway.route;

import dev.rollcall.model.Connection;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.roll.v1.WatchingCalls;
import dev.rollcall.wire.CallerMapper;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Streams pushed calls to the clients that watch them, on any gateway. A gateway with watchers
 * sends this to the others every second, until it has none. The calls wait in a queue for one
 * thread of their own, so that many watchers delay no node; calls for which the queue has no room
 * are dropped and counted.
 */
public final class CallsWatched {
  /** At some 400 bytes each. */
  static final int MOST_WAITING = 10_000;

  private static final long SAID_FOR_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long IDLE_SECONDS = 10;

  /**
   * A pushed call.
   *
   * @param connection as the caller's end sees it
   */
  public record Pushed(Announcement call, Connection connection) {}

  private final GatewaySender post;
  private final ThreadPoolExecutor telling;
  private final Set<Consumer<Pushed>> watchers = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> watchingGateways = new ConcurrentHashMap<>();

  CallsWatched(GatewaySender post, RouteMeters meters) {
    this.post = post;
    this.telling =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            Thread.ofVirtual().name("calls-watched").factory(),
            (_, _) -> meters.callsUnwatched.increment());
    telling.allowCoreThreadTimeOut(true);
  }

  /**
   * @param watcher must not block; runs on the watchers' thread
   * @return what to run when it does not watch any more
   */
  public Runnable watch(Consumer<Pushed> watcher) {
    watchers.add(watcher);
    tick();
    return () -> watchers.remove(watcher);
  }

  /** Every second. */
  void tick() {
    long now = System.nanoTime();
    watchingGateways.values().removeIf(until -> until - now < 0);
    if (!watchers.isEmpty()) {
      post.sendToOthers(
          Letter.newBuilder().setWatchingCalls(WatchingCalls.getDefaultInstance()).build());
    }
  }

  void watching(String gateway) {
    watchingGateways.put(gateway, System.nanoTime() + SAID_FOR_NANOS);
  }

  /** A node of this gateway has announced a call. */
  void made(Announcement call) {
    tell(call);
    if (!watchingGateways.isEmpty()) {
      Letter letter = Letter.newBuilder().setCallMade(call).build();
      watchingGateways.keySet().forEach(gateway -> post.send(gateway, letter));
    }
  }

  void tell(Announcement call) {
    if (!watchers.isEmpty()) {
      telling.execute(() -> tellAll(call));
    }
  }

  /** Calls that no watcher has got yet. */
  int waiting() {
    return telling.getQueue().size();
  }

  private void tellAll(Announcement call) {
    var pushed = new Pushed(call, CallerMapper.toModel(call.getConnection(), "connection"));
    watchers.forEach(watcher -> watcher.accept(pushed));
  }
}
