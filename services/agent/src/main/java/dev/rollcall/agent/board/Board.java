package dev.rollcall.agent.board;

import dev.rollcall.agent.board.BoardMeters.Dropped;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.SourceLost;
import dev.rollcall.agent.event.WithdrawnCall;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.NodeName;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Announced callers by their connection. An entry serves one session and is gone. Where the
 * announcements of a node have a gap, what it announced before goes too: an address and port may
 * have been used again since, and a question finds the truth. Not thread-safe: {@link
 * BoardVerticle}'s event loop alone uses it.
 */
final class Board {
  private record Entry(Caller caller, long expiresNanos) {}

  private record Source(NodeName node, InetAddress farAddress) {}

  private record Position(long epoch, long sequence) {}

  /** What becomes of entries, told as it happens. */
  interface Listener {
    void came(Connection call, Caller caller, Duration keep);

    void went(Connection call);
  }

  private final LinkedHashMap<Connection, Entry> entries = new LinkedHashMap<>();
  private final Map<Source, Position> positions = new HashMap<>();
  private final Duration keep;
  private final int capacity;
  private final LongSupplier nanoClock;
  private final BoardMeters meters;
  private final Listener listener;

  /**
   * @param keep how long an entry waits for its session
   * @param capacity entries; the oldest makes room for a new one
   */
  Board(
      Duration keep, int capacity, LongSupplier nanoClock, BoardMeters meters, Listener listener) {
    this.listener = listener;
    this.keep = keep;
    this.capacity = capacity;
    this.nanoClock = nanoClock;
    this.meters = meters;
  }

  void announce(AnnouncedCall announced) {
    expire();
    Caller caller = announced.call().caller();
    Connection call = announced.call().connection();
    if (moves(caller.node(), call, new Position(announced.epoch(), announced.sequence()))) {
      put(call, caller);
    }
  }

  /** Whoever was announced for this connection did not make the one that is there now. */
  void withdraw(WithdrawnCall withdrawn) {
    Connection call = withdrawn.connection();
    if (moves(withdrawn.node(), call, new Position(withdrawn.epoch(), withdrawn.sequence()))
        && entries.remove(call) != null) {
      listener.went(call);
      meters.dropped(Dropped.WITHDRAWN, 1);
    }
  }

  /** Follows the source's count to here, unless this is older than what it said before. */
  private boolean moves(NodeName node, Connection call, Position now) {
    var source = new Source(node, call.remote().address());
    Position before = positions.get(source);
    if (before != null && isOld(now, before)) {
      meters.dropped(Dropped.STALE, 1);
      return false;
    }
    if (before != null && now.epoch() != before.epoch()) {
      forget(isOf(node), Dropped.REPLACED);
    } else if (before != null && now.sequence() != before.sequence() + 1) {
      forget(isOf(node), Dropped.GAP);
    }
    positions.put(source, now);
    return true;
  }

  private static boolean isOld(Position now, Position before) {
    return now.epoch() < before.epoch()
        || (now.epoch() == before.epoch() && now.sequence() <= before.sequence());
  }

  private void put(Connection connection, Caller caller) {
    // Taken out first, so that the map's order stays the order of expiry.
    entries.remove(connection);
    if (entries.size() >= capacity) {
      listener.went(entries.pollFirstEntry().getKey());
      meters.dropped(Dropped.FULL, 1);
    }
    entries.put(connection, new Entry(caller, nanoClock.getAsLong() + keep.toNanos()));
    listener.came(connection, caller, keep);
  }

  /** The caller of this connection, once. */
  Optional<Caller> take(Connection connection) {
    expire();
    Optional<Caller> caller = Optional.ofNullable(entries.remove(connection)).map(Entry::caller);
    caller.ifPresent(_ -> listener.went(connection));
    (caller.isPresent() ? meters.taken : meters.missed).increment();
    return caller;
  }

  /** A login came that needed no answer. Its entry is used up all the same. */
  void arrived(Connection connection) {
    expire();
    if (entries.remove(connection) != null) {
      listener.went(connection);
      meters.taken.increment();
    }
  }

  /** Forgets what one node announced, or all of them. */
  void lose(SourceLost lost) {
    forget(lost.node().map(Board::isOf).orElse(_ -> true), Dropped.LOST);
  }

  int size() {
    return entries.size();
  }

  private static Predicate<Caller> isOf(NodeName node) {
    return caller -> caller.node().equals(node);
  }

  private void forget(Predicate<Caller> which, Dropped reason) {
    int before = entries.size();
    entries
        .entrySet()
        .removeIf(entry -> {
          boolean gone = which.test(entry.getValue().caller());
          if (gone) {
            listener.went(entry.getKey());
          }
          return gone;
        });
    meters.dropped(reason, before - entries.size());
  }

  private void expire() {
    long now = nanoClock.getAsLong();
    for (var oldest = entries.firstEntry();
        oldest != null && oldest.getValue().expiresNanos() - now <= 0;
        oldest = entries.firstEntry()) {
      entries.pollFirstEntry();
      listener.went(oldest.getKey());
      meters.dropped(Dropped.EXPIRED, 1);
    }
  }
}
