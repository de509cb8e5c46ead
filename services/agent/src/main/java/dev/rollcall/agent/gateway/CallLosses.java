package dev.rollcall.agent.gateway;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps the recent losses of calls. Each loss is sent once. The last one is sent again on every
 * stream that begins while the roll or another node may still keep calls from before it, because
 * the message may have been lost with the stream before. Not thread-safe.
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

  /** The loss to send on a stream that begins. */
  Optional<Long> standing() {
    long now = nanoClock.getAsLong();
    last = last.filter(loss -> now - loss.nanos <= KEEP.toNanos());
    return last.map(Loss::calls);
  }
}
