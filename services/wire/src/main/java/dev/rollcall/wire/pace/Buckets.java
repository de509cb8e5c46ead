package dev.rollcall.wire.pace;

import java.util.LinkedHashMap;

/** A token bucket for each recent client. Thread-safe. */
public final class Buckets<K> {
  private final Rate rate;
  private final int most;
  private final LinkedHashMap<K, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param most buckets that are kept; beyond that the longest unused one is removed, and is full
   *     again
   */
  public Buckets(Rate rate, int most) {
    this.rate = rate;
    this.most = most;
  }

  /** Returns the bucket of this client; it is full if the client did not come lately. */
  public synchronized Bucket of(K whose, long now) {
    Bucket bucket = buckets.computeIfAbsent(whose, _ -> new Bucket(rate, now));
    if (buckets.size() > most) {
      buckets.pollFirstEntry();
    }
    return bucket;
  }
}
