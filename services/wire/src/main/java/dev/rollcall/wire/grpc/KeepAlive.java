package dev.rollcall.wire.grpc;

import java.time.Duration;

/**
 * How a connection whose other end has silently gone is noticed: by HTTP/2 pings.
 *
 * @param every how often to ping, from the connection's start
 * @param patience how long a ping may stay unanswered before the connection is closed
 */
public record KeepAlive(Duration every, Duration patience) {
  /** A dead peer is noticed within ten seconds, for a fifth of a wake-up per second. */
  public static final KeepAlive CALM = new KeepAlive(Duration.ofSeconds(5), Duration.ofSeconds(5));

  public KeepAlive {
    if (every.toMillis() < 1 || patience.toMillis() < 1) {
      throw new IllegalArgumentException("every " + every + ", patience " + patience);
    }
  }
}
