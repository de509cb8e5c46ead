package dev.rollcall.agent.gateway;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps the recent losses of calls. Each loss is told once, and the last again on every stream that
 * begins while somebody may still hold what it is about: the word may have been lost with the
 * stream before. Not thread-safe.
 */
final class CallLosses {
  /**
   * Longer than the roll and other nodes keep a call: those are minutes, of sshd's LoginGraceTime.
   */
  static final Duration KEEP = Duration.ofMinutes(15);

  private record Loss(long calls, long nanos) {}

  private final LongSupplier nanoClock;
  private Optional<Loss> last = Optional.empty();

  CallLosses(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  void add(long calls) {
    last = Optional.of(new Loss(calls, nanoClock.getAsLong()));
  }

  /** What a stream that begins should tell. */
  Optional<Long> standing() {
    long now = nanoClock.getAsLong();
    last = last.filter(loss -> now - loss.nanos <= KEEP.toNanos());
    return last.map(Loss::calls);
  }
}
