package dev.rollcall.wire.pace;

import java.util.LinkedHashMap;

/** A token bucket for each recent client. Thread-safe. */
public final class Buckets<K> {
  private final Rate rate;
  private final int most;
  private final LinkedHashMap<K, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param most how many are kept: beyond, whoever came longest ago is forgotten, and rested
   */
  public Buckets(Rate rate, int most) {
    this.rate = rate;
    this.most = most;
  }

  /** Of this one; full if they did not come lately. */
  public synchronized Bucket of(K whose, long now) {
    Bucket bucket = buckets.computeIfAbsent(whose, _ -> new Bucket(rate, now));
    if (buckets.size() > most) {
      buckets.pollFirstEntry();
    }
    return bucket;
  }
}
