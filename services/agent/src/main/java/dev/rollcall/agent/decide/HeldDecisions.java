package dev.rollcall.agent.decide;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Decision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Decisions of the account phase, kept for the session phase: with keyboard-interactive the account
 * phase may run in a child of sshd that is gone by then. Not thread-safe: {@link DecideVerticle}'s
 * event loop alone uses it.
 */
final class HeldDecisions {
  /**
   * A decision that was carried out.
   *
   * @param adoptionId under which it is remembered
   */
  record Held(Decision decision, String doubt, String adoptionId) {}

  private record Key(Connection connection, int uid) {}

  private record Entry(Held held, long expiresNanos) {}

  private static final int CAPACITY = 4_096;

  private final LinkedHashMap<Key, Entry> entries = new LinkedHashMap<>();
  private final Duration keep;
  private final LongSupplier nanoClock;

  HeldDecisions(Duration keep, LongSupplier nanoClock) {
    this.keep = keep;
    this.nanoClock = nanoClock;
  }

  /** A session whose connection is not known is not held: nothing would tell it from another. */
  void hold(AdoptionRequested request, Held held) {
    expire();
    key(request)
        .ifPresent(key -> {
          entries.remove(key);
          if (entries.size() >= CAPACITY) {
            entries.pollFirstEntry();
          }
          entries.put(key, new Entry(held, nanoClock.getAsLong() + keep.toNanos()));
        });
  }

  Optional<Held> of(AdoptionRequested request) {
    expire();
    return key(request).map(entries::get).map(Entry::held);
  }

  void drop(AdoptionRequested request) {
    key(request).ifPresent(entries::remove);
  }

  private static Optional<Key> key(AdoptionRequested request) {
    return request.connection().map(connection -> new Key(connection, request.uid()));
  }

  private void expire() {
    long now = nanoClock.getAsLong();
    var oldest = entries.values().iterator();
    while (oldest.hasNext() && oldest.next().expiresNanos() - now <= 0) {
      oldest.remove();
    }
  }
}
