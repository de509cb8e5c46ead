package dev.rollcall.agent.login.decide;

import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.model.Connection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps the result of one request of a login for the next one, which may come from another process:
 * with keyboard-interactive the account phase runs in a child of sshd that is gone by the session
 * phase. Not thread-safe: on the event loop of logins.
 */
public final class LoginMemory<T> {
  private record Key(Connection connection, int uid) {}

  private record Entry<T>(T kept, long expiresNanos) {}

  private static final int CAPACITY = 4_096;

  private final LinkedHashMap<Key, Entry<T>> entries = new LinkedHashMap<>();
  private final Duration grace;
  private final LongSupplier nanoClock;

  public LoginMemory(Duration grace, LongSupplier nanoClock) {
    this.grace = grace;
    this.nanoClock = nanoClock;
  }

  /** For a session whose connection is not known nothing is kept: it looks like any other. */
  void keep(AdoptionRequested request, T kept) {
    expire();
    key(request).ifPresent(key -> keep(key, kept, grace));
  }

  /** The same for a login that was decided so long ago. */
  void keep(Connection connection, int uid, T kept, Duration age) {
    expire();
    Duration left = age.isNegative() ? grace : grace.minus(age);
    if (left.isPositive()) {
      keep(new Key(connection, uid), kept, left);
    }
  }

  private void keep(Key key, T kept, Duration left) {
    entries.remove(key);
    if (entries.size() >= CAPACITY) {
      entries.pollFirstEntry();
    }
    entries.put(key, new Entry<>(kept, nanoClock.getAsLong() + left.toNanos()));
  }

  Optional<T> of(AdoptionRequested request) {
    expire();
    return key(request).map(entries::get).filter(this::isValid).map(Entry::kept);
  }

  /** The same, and removes it. */
  Optional<T> take(AdoptionRequested request) {
    expire();
    return key(request).map(entries::remove).filter(this::isValid).map(Entry::kept);
  }

  void drop(AdoptionRequested request) {
    key(request).ifPresent(entries::remove);
  }

  private static Optional<Key> key(AdoptionRequested request) {
    return request.connection().map(connection -> new Key(connection, request.uid()));
  }

  private boolean isValid(Entry<T> entry) {
    return entry.expiresNanos() - nanoClock.getAsLong() > 0;
  }

  /** One that was kept late may stand behind one that is valid: it goes after that one. */
  private void expire() {
    var oldest = entries.values().iterator();
    while (oldest.hasNext() && !isValid(oldest.next())) {
      oldest.remove();
    }
  }
}
