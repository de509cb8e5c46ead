package dev.rollcall.gateway.route;

import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.proto.roll.v1.Letter;
import dev.rollcall.proto.roll.v1.WatchingCalls;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Streams pushed calls to the clients that watch them, on any gateway. A gateway with watchers says
 * so every second; nobody has to be told that they have gone.
 */
public final class CallsWatched {
  private static final long SAID_FOR_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final GatewaySender post;
  private final Set<Consumer<Announcement>> watchers = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> watchingGateways = new ConcurrentHashMap<>();

  CallsWatched(GatewaySender post) {
    this.post = post;
  }

  /** Returns what to run when nobody watches any more. */
  public Runnable watch(Consumer<Announcement> watcher) {
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
    watchers.forEach(watcher -> watcher.accept(call));
  }
}
