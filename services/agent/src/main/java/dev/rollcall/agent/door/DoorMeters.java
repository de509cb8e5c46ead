package dev.rollcall.agent.door;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What the door counts, and what it logs: each fault at most once a minute. */
final class DoorMeters {
  private static final System.Logger LOG = System.getLogger(DoorMeters.class.getName());
  private static final long QUIET_NANOS = 60_000_000_000L;

  private final Map<Fault, Counter> faults = new EnumMap<>(Fault.class);
  private final Map<Fault, Long> loggedNanos = new EnumMap<>(Fault.class);
  final Counter requests;
  final AtomicInteger underWay = new AtomicInteger();
  final AtomicInteger silent = new AtomicInteger();

  DoorMeters(MeterRegistry registry) {
    requests = registry.counter("rollcall.door.requests");
    registry.gauge("rollcall.door.under.way", underWay);
    registry.gauge("rollcall.door.silent", silent);
    for (Fault fault : Fault.values()) {
      faults.put(fault, registry.counter("rollcall.door.faults", "reason", fault.word()));
    }
  }

  /** On the event loop. */
  void fault(Fault fault, String detail) {
    Counter counter = faults.get(fault);
    if (counter == null) {
      throw new IllegalStateException(fault + " has no counter");
    }
    counter.increment();
    long now = System.nanoTime();
    Long before = loggedNanos.get(fault);
    if (before == null || now - before > QUIET_NANOS) {
      loggedNanos.put(fault, now);
      LOG.log(
          System.Logger.Level.WARNING,
          "door: {0}{1} ({2} times since the start; said at most once a minute)",
          fault.text(),
          detail.isEmpty() ? "" : ": " + detail,
          Long.toString((long) counter.count()));
    }
  }
}
