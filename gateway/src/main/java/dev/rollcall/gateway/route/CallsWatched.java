package dev.rollcall.gateway.route;

import dev.rollcall.model.Connection;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.roll.v1.WatchingCalls;
import dev.rollcall.wire.CallerMapper;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Streams pushed calls to the clients that watch them, on any gateway. A gateway with watchers
 * sends this to the others every second, until it has none.
 */
public final class CallsWatched {
  private static final long SAID_FOR_NANOS = TimeUnit.SECONDS.toNanos(3);

  /**
   * A pushed call.
   *
   * @param connection as the caller's end sees it
   */
  public record Pushed(Announcement call, Connection connection) {}

  private final GatewaySender post;
  private final WatchQueue<Pushed> watchers;
  private final Map<String, Long> watchingGateways = new ConcurrentHashMap<>();

  CallsWatched(GatewaySender post, RouteMeters meters) {
    this.post = post;
    this.watchers = new WatchQueue<>("calls-watched", meters.callsUnwatched);
  }

  /**
   * @param watcher must not block; runs on the watchers' thread
   * @return what to run when it does not watch any more
   */
  public Runnable watch(Consumer<Pushed> watcher) {
    Runnable end = watchers.add(watcher);
    tick();
    return end;
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
    watchers.tell(() -> new Pushed(call, CallerMapper.toModel(call.getConnection(), "connection")));
  }

  /** Calls that no watcher has got yet. */
  int waiting() {
    return watchers.waiting();
  }
}
