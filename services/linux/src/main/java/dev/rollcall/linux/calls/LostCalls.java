package dev.rollcall.linux.calls;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.BpfMap;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Tells how many calls were not announced, soon after the first and then once a second while it
 * goes on. Used by one thread.
 */
final class LostCalls {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Counters counters;
  private final LongConsumer listener;
  private boolean pausing;
  private long pauseEnds; // System.nanoTime()

  LostCalls(BpfMap counters, LongConsumer listener) {
    this.counters = new Counters(counters);
    this.listener = listener;
  }

  /**
   * To be called before the first {@link #check}: an agent may have ended while a record was
   * pending.
   */
  void start() throws ErrnoException {
    counters.put(CallLayout.LOST_PENDING, 0);
    tell();
  }

  /**
   * To be called whenever the ring was drained or the time that this returned is over.
   *
   * @param recordSeen whether the ring held a record that says that calls were lost
   * @return when to call again at the latest; empty while nothing is lost
   */
  Optional<Duration> check(boolean recordSeen) throws ErrnoException {
    long now = System.nanoTime();
    if (pausing && now - pauseEnds < 0) {
      return Optional.of(Duration.ofNanos(pauseEnds - now).plusMillis(1));
    }
    if (pausing) {
      // From here on the program sends a record again; what it counted before is read below.
      counters.put(CallLayout.LOST_PENDING, 0);
      pausing = false;
    }
    tell();
    if (recordSeen) {
      pausing = true;
      pauseEnds = now + PAUSE.toNanos();
      return Optional.of(PAUSE);
    }
    return Optional.empty();
  }

  private void tell() throws ErrnoException {
    long lost = counters.get(CallLayout.LOST);
    long told = counters.get(CallLayout.LOST_TOLD);
    if (lost != told) {
      counters.put(CallLayout.LOST_TOLD, lost);
      listener.accept(lost - told);
    }
  }
}
