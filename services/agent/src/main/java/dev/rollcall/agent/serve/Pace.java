package dev.rollcall.agent.serve;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;

/**
 * How fast a user's requests may go on to the gateway, which all nodes share. A user's allowance is
 * one number: the time at which it is full again. Root's has no end. Not thread-safe.
 */
final class Pace {
  static final int A_SECOND = 50;
  static final int AT_ONCE = 100;

  private static final long INTERVAL_NANOS = 1_000_000_000L / A_SECOND;
  private static final int MOST_USERS = 10_000;

  private final LinkedHashMap<Integer, Long> fullAt = new LinkedHashMap<>(16, 0.75f, true);
  private final LongSupplier nanoClock;

  Pace(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Whether one more may go; it counts if so. */
  boolean allows(Asker asker) {
    if (asker.root()) {
      return true;
    }
    long now = nanoClock.getAsLong();
    long full = fullAt.getOrDefault(asker.uid(), now);
    long from = full - now < 0 ? now : full;
    if (from - now > INTERVAL_NANOS * (AT_ONCE - 1)) {
      return false;
    }
    fullAt.put(asker.uid(), from + INTERVAL_NANOS);
    if (fullAt.size() > MOST_USERS) {
      fullAt.pollFirstEntry();
    }
    return true;
  }

  static StatusRuntimeException tooFast(Asker asker) {
    return Status.RESOURCE_EXHAUSTED
        .withDescription(
            "uid %s asks the gateway more than %d times a second"
                .formatted(Integer.toUnsignedString(asker.uid()), A_SECOND))
        .asRuntimeException();
  }
}
