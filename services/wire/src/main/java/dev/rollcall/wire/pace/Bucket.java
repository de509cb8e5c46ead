package dev.rollcall.wire.pace;

/**
 * A token bucket that fills at a rate. Time is the caller's, in nanoseconds, and may wrap as that
 * of System.nanoTime may. Thread-safe.
 */
public final class Bucket {
  private static final double NANOS = 1e9;

  private final Rate rate;
  private double tokens;
  private long seen;

  /** Full. */
  public Bucket(Rate rate, long now) {
    this.rate = rate;
    this.tokens = rate.atOnce();
    this.seen = now;
  }

  /** Whether one is there. */
  public synchronized boolean has(long now) {
    fill(now);
    return tokens >= 1;
  }

  /** Takes one if it is there. */
  public synchronized boolean take(long now) {
    if (!has(now)) {
      return false;
    }
    tokens--;
    return true;
  }

  /** Takes one whether it is there or not; returns the nanoseconds until it will have been. */
  public synchronized long owe(long now) {
    fill(now);
    tokens--;
    return tokens >= 0 ? 0 : (long) (-tokens / rate.perSecond() * NANOS);
  }

  /** The nanoseconds until one is there, if none is taken meanwhile. */
  public synchronized long untilOne(long now) {
    fill(now);
    return tokens >= 1 ? 0 : (long) ((1 - tokens) / rate.perSecond() * NANOS);
  }

  /** Takes so many whether they are there or not. */
  public synchronized void charge(double many, long now) {
    fill(now);
    tokens -= many;
  }

  /** Whether it has all its tokens: a new one would be the same. */
  public synchronized boolean isFull(long now) {
    fill(now);
    return tokens >= rate.atOnce();
  }

  private void fill(long now) {
    if (now - seen > 0) {
      tokens = Math.min(rate.atOnce(), tokens + (now - seen) / NANOS * rate.perSecond());
      seen = now;
    }
  }
}
