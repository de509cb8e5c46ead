package dev.rollcall.agent.login.socket;

import dev.rollcall.wire.metrics.EnumCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts requests and failures of the login socket, and logs each failure at most once a minute.
 */
final class LoginSocketMeters {
  private static final System.Logger LOG = System.getLogger(LoginSocketMeters.class.getName());
  private static final long QUIET_NANOS = 60_000_000_000L;

  private final EnumCounters<RequestFailure> failures;
  private final Map<RequestFailure, Long> loggedNanos = new EnumMap<>(RequestFailure.class);
  final Counter requests;
  final AtomicInteger silent = new AtomicInteger();

  LoginSocketMeters(MeterRegistry registry) {
    requests = registry.counter("rollcall.login.socket.requests");
    registry.gauge("rollcall.login.socket.silent", silent);
    failures =
        new EnumCounters<>(
            registry, "rollcall.login.socket.failures", "reason", RequestFailure.class);
  }

  /** On the event loop. */
  void failed(RequestFailure failure, String detail) {
    Counter counter = failures.of(failure);
    counter.increment();
    long now = System.nanoTime();
    Long before = loggedNanos.get(failure);
    if (before == null || now - before > QUIET_NANOS) {
      loggedNanos.put(failure, now);
      LOG.log(
          System.Logger.Level.WARNING,
          "login socket: {0}{1} ({2} times since the start; logged at most once a minute)",
          failure.text(),
          detail.isEmpty() ? "" : ": " + detail,
          Long.toString((long) counter.count()));
    }
  }
}
