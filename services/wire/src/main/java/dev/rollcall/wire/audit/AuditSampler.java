package dev.rollcall.wire.audit;

import dev.rollcall.wire.pace.Bucket;
import dev.rollcall.wire.pace.Buckets;
import dev.rollcall.wire.pace.Rate;
import java.util.function.LongSupplier;

/**
 * Selects the refusals that are written. A client that is refused again and again must neither fill
 * a disk nor hide the refusals of others. Each client has an allowance of lines that grows again,
 * and all clients share another one. Not thread-safe.
 */
final class AuditSampler {
  static final Rate OF_EACH = new Rate(0.2, 10);
  static final Rate OF_ALL = new Rate(5, 200);

  private static final int MOST = 4_096;

  private final LongSupplier nanoClock;
  private final Buckets<String> each = new Buckets<>(OF_EACH, MOST);
  private final Bucket all;

  AuditSampler(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.all = new Bucket(OF_ALL, nanoClock.getAsLong());
  }

  /** Whether one more line about them may be written; it counts if so. */
  boolean allows(String whom) {
    long now = nanoClock.getAsLong();
    Bucket theirs = each.of(whom, now);
    return theirs.has(now) && all.take(now) && theirs.take(now);
  }
}
