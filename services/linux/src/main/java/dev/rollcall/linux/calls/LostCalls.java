package dev.rollcall.linux.calls;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.BpfMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Tells how many calls were not announced, soon after the first and then once a second while it
 * goes on. Used by one thread.
 */
final class LostCalls {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final BpfMap counters;
  private final LongConsumer listener;
  private boolean pausing;
  private long pauseEnds; // System.nanoTime()

  LostCalls(BpfMap counters, LongConsumer listener) {
    this.counters = counters;
    this.listener = listener;
  }

  /** To be called first: an agent may have ended while a record was pending. */
  void start() throws ErrnoException {
    put(CallLayout.LOST_PENDING, 0);
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
      put(CallLayout.LOST_PENDING, 0);
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
    long lost = get(CallLayout.LOST);
    long told = get(CallLayout.LOST_TOLD);
    if (lost != told) {
      put(CallLayout.LOST_TOLD, lost);
      listener.accept(lost - told);
    }
  }

  private long get(int counter) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_LONG);
      counters.lookUp(arena.allocateFrom(JAVA_INT, counter), value);
      return value.get(JAVA_LONG, 0);
    }
  }

  private void put(int counter, long value) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      counters.put(arena.allocateFrom(JAVA_INT, counter), arena.allocateFrom(JAVA_LONG, value));
    }
  }
}
