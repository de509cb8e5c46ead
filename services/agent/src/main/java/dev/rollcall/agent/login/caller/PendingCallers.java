package dev.rollcall.agent.login.caller;

import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.LostSource;
import dev.rollcall.agent.event.WithdrawnCall;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.NodeName;
import dev.rollcall.wire.metrics.EnumCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Keeps pushed callers by their connection until their logins arrive. An entry serves one session.
 * Where the announcements of a node have a gap, what it announced before goes too: an address and
 * port may have been used again since. Not thread-safe: on the event loop of logins.
 */
public final class PendingCallers {
  /** About 300 bytes each. A flood pushes out the oldest, whose sessions then ask instead. */
  private static final int CAPACITY = 16_384;

  /** An entry outlives sshd's patience with a login by this much. */
  private static final Duration LITTLE_MORE = Duration.ofSeconds(30);

  private record Entry(Caller caller, long expiresNanos) {}

  private record Source(NodeName node, InetAddress farAddress) {}

  private record Position(long epoch, long sequence, long expiresNanos) {}

  /** Why an entry, or an announcement, is gone. */
  enum Dropped {
    NOT_OURS,
    STALE,
    GAP,
    LOST,
    WITHDRAWN,
    REPLACED,
    EARLY,
    EXPIRED,
    FULL
  }

  /** Is called when a caller is expected, and when they are not any more. */
  public interface Listener {
    /**
     * @param call as the caller's end sees it
     * @param keep how long from now
     */
    void expected(Connection call, Caller caller, Duration keep);

    void settled(Connection call);
  }

  private final LinkedHashMap<Connection, Entry> entries = new LinkedHashMap<>();

  /** The sources with the latest reports are at the end; as many as entries. */
  private final LinkedHashMap<Source, Position> positions = new LinkedHashMap<>();

  private final Duration keep;
  private final int capacity;
  private final LongSupplier nanoClock;
  private final EnumCounters<Dropped> dropped;
  private final Counter taken;
  private final Counter missed;
  private final Listener listener;
  private final Predicate<InetAddress> isOwn;

  /**
   * @param loginGrace sshd's LoginGraceTime
   * @param isOwn whether an address is this node's: announcements for others are not kept
   */
  public PendingCallers(
      Duration loginGrace,
      Predicate<InetAddress> isOwn,
      MeterRegistry registry,
      Listener listener) {
    this(loginGrace.plus(LITTLE_MORE), CAPACITY, isOwn, System::nanoTime, registry, listener);
  }

  /**
   * @param keep how long an entry waits for its session
   * @param capacity entries; the oldest makes room for a new one. Also of sources; what further
   *     ones announce is not kept
   */
  PendingCallers(
      Duration keep,
      int capacity,
      Predicate<InetAddress> isOwn,
      LongSupplier nanoClock,
      MeterRegistry registry,
      Listener listener) {
    this.listener = listener;
    this.isOwn = isOwn;
    this.keep = keep;
    this.capacity = capacity;
    this.nanoClock = nanoClock;
    taken = registry.counter("rollcall.login.callers.lookups", "result", "taken");
    missed = registry.counter("rollcall.login.callers.lookups", "result", "missed");
    dropped =
        new EnumCounters<>(registry, "rollcall.login.callers.dropped", "reason", Dropped.class);
  }

  public void announce(AnnouncedCall announced) {
    if (!isOurs(announced.call().connection())) {
      return;
    }
    expire();
    Caller caller = announced.call().caller();
    Connection call = announced.call().connection();
    if (moves(caller.node(), call, position(announced.epoch(), announced.sequence()))) {
      put(call, caller);
    }
  }

  /**
   * The caller that this node pushed for this connection did not open the present one. Callers that
   * other nodes pushed stay.
   */
  public void withdraw(WithdrawnCall withdrawn) {
    Connection call = withdrawn.connection();
    if (!isOurs(call)) {
      return;
    }
    expire();
    NodeName node = withdrawn.node();
    if (moves(node, call, position(withdrawn.epoch(), withdrawn.sequence()))
        && Optional.ofNullable(entries.get(call))
            .map(Entry::caller)
            .filter(caller -> caller.node().equals(node))
            .isPresent()) {
      entries.remove(call);
      listener.settled(call);
      dropped.of(Dropped.WITHDRAWN).increment();
    }
  }

  private Position position(long epoch, long sequence) {
    return new Position(epoch, sequence, nanoClock.getAsLong() + keep.toNanos());
  }

  private boolean isOurs(Connection call) {
    boolean ours = isOwn.test(call.remote().address());
    if (!ours) {
      dropped.of(Dropped.NOT_OURS).increment();
    }
    return ours;
  }

  /** Sets the source's position, unless this one is older than the last. */
  private boolean moves(NodeName node, Connection call, Position now) {
    var source = new Source(node, call.remote().address());
    Position before = positions.get(source);
    if (before != null && isOld(now, before)) {
      dropped.of(Dropped.STALE).increment();
      return false;
    }
    if (before == null && positions.size() >= capacity) {
      dropped.of(Dropped.FULL).increment();
      return false;
    }
    if (before != null && now.epoch() != before.epoch()) {
      forget(sourceOf(node), Dropped.REPLACED);
    } else if (before != null && now.sequence() != before.sequence() + 1) {
      forget(sourceOf(node), Dropped.GAP);
    }
    positions.putLast(source, now);
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
      listener.settled(entries.pollFirstEntry().getKey());
      dropped.of(Dropped.FULL).increment();
    }
    entries.put(connection, new Entry(caller, nanoClock.getAsLong() + keep.toNanos()));
    listener.expected(connection, caller, keep);
  }

  /**
   * The caller of this connection, once.
   *
   * @param mostAge a caller that was pushed longer ago opened an earlier connection with the same
   *     ends, whatever became of the later push: it is dropped
   */
  public Optional<Caller> take(Connection connection, Duration mostAge) {
    expire();
    long expiresSince = nanoClock.getAsLong() - mostAge.toNanos() + keep.toNanos();
    Entry entry = entries.get(connection);
    if (entry != null && entry.expiresNanos() - expiresSince < 0) {
      var _ = remove(connection);
      dropped.of(Dropped.EARLY).increment();
    }
    Optional<Caller> caller = remove(connection);
    (caller.isPresent() ? taken : missed).increment();
    return caller;
  }

  /** A login came that needed no answer. Its entry is used up all the same. */
  public Optional<Caller> arrived(Connection connection) {
    expire();
    Optional<Caller> caller = remove(connection);
    caller.ifPresent(_ -> taken.increment());
    return caller;
  }

  private Optional<Caller> remove(Connection connection) {
    Optional<Caller> caller = Optional.ofNullable(entries.remove(connection)).map(Entry::caller);
    caller.ifPresent(_ -> listener.settled(connection));
    return caller;
  }

  public void lose(LostSource source) {
    forget(source, Dropped.LOST);
  }

  int size() {
    return entries.size();
  }

  private static LostSource sourceOf(NodeName node) {
    return new LostSource(Optional.of(node), Optional.empty());
  }

  private void forget(LostSource which, Dropped reason) {
    int before = entries.size();
    entries
        .entrySet()
        .removeIf(entry -> {
          boolean gone = which.has(entry.getKey(), entry.getValue().caller());
          if (gone) {
            listener.settled(entry.getKey());
          }
          return gone;
        });
    dropped.of(reason).increment(before - entries.size());
  }

  /** A source without a report for as long as a caller is kept has no callers here. */
  private void expire() {
    long now = nanoClock.getAsLong();
    for (var oldest = positions.firstEntry();
        oldest != null && oldest.getValue().expiresNanos() - now <= 0;
        oldest = positions.firstEntry()) {
      positions.pollFirstEntry();
    }
    for (var oldest = entries.firstEntry();
        oldest != null && oldest.getValue().expiresNanos() - now <= 0;
        oldest = entries.firstEntry()) {
      entries.pollFirstEntry();
      listener.settled(oldest.getKey());
      dropped.of(Dropped.EXPIRED).increment();
    }
  }
}
