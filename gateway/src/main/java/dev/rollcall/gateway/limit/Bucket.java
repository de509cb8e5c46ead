package dev.rollcall.gateway.limit;

/** Tokens that come at a rate, up to a second's worth. Time is the caller's, in nanoseconds. */
final class Bucket {
  private static final double NANOS = 1e9;

  private final double perSecond;
  private final double most;
  private double tokens;
  private long seen;

  /**
   * @param most how many there are after a rest
   */
  Bucket(double perSecond, double most, long now) {
    this.perSecond = perSecond;
    this.most = most;
    this.tokens = most;
    this.seen = now;
  }

  /** Takes one if it is there. */
  synchronized boolean take(long now) {
    fill(now);
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  /** Takes one whether it is there or not; returns the nanoseconds until it will have been. */
  synchronized long owe(long now) {
    fill(now);
    tokens--;
    return tokens >= 0 ? 0 : (long) (-tokens / perSecond * NANOS);
  }

  /** Whether it has all its tokens: a new one would be the same. */
  synchronized boolean isFull(long now) {
    fill(now);
    return tokens >= most;
  }

  private void fill(long now) {
    if (now - seen > 0) {
      tokens = Math.min(most, tokens + (now - seen) / NANOS * perSecond);
      seen = now;
    }
  }
}
