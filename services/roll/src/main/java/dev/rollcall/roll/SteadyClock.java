package dev.rollcall.roll;

import com.hazelcast.internal.util.Clock;
import java.util.function.LongSupplier;

/**
 * Hazelcast's clock in this process: the wall clock of the start, and since then the time that has
 * passed. So a wall clock that is stepped does not change how long a call is kept. Hazelcast makes
 * it from its name.
 */
public final class SteadyClock extends Clock.ClockImpl {
  private final LongSupplier nanoClock;
  private final long start;
  private final long startNanos;

  public SteadyClock() {
    this(System::currentTimeMillis, System::nanoTime);
  }

  SteadyClock(LongSupplier wallMillis, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.start = wallMillis.getAsLong();
    this.startNanos = nanoClock.getAsLong();
  }

  @Override
  protected long currentTimeMillis() {
    return start + (nanoClock.getAsLong() - startNanos) / 1_000_000;
  }
}
