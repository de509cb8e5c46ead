package dev.rollcall.wire.grpc;

import dev.rollcall.wire.pace.SharedTimer;
import java.time.Duration;
import java.util.Optional;

/**
 * Detects dead connections with HTTP/2 pings.
 *
 * @param every how often to ping, from the connection's start
 * @param patience how long a ping may stay unanswered before the connection is closed; it is looked
 *     at when the next pings would be due
 * @param beat looks after each patience whether the peer has sent a ping, and pings only a peer
 *     that has not done so for longer than {@code every}; without it the pings have their own timer
 */
public record KeepAlive(Duration every, Duration patience, Optional<SharedTimer> beat) {
  /** A dead peer is noticed within ten seconds, for a fifth of a wake-up per second. */
  public static final KeepAlive CALM = new KeepAlive(Duration.ofSeconds(5), Duration.ofSeconds(5));

  /**
   * For a client that sends every few seconds anyway. The kernel closes its connection if bytes
   * stay unacknowledged for ten seconds (TCP_USER_TIMEOUT, tcp(7)). A peer whose process hangs
   * while its machine lives is noticed within 25 seconds of its last ping, with a shared timer of
   * five.
   */
  public static final KeepAlive RARE = new KeepAlive(Duration.ofSeconds(15), Duration.ofSeconds(5));

  public KeepAlive {
    if (every.toMillis() < 1 || patience.toMillis() < 1) {
      throw new IllegalArgumentException("every " + every + ", patience " + patience);
    }
  }

  public KeepAlive(Duration every, Duration patience) {
    this(every, patience, Optional.empty());
  }

  /** The same, at this beat. */
  public KeepAlive at(SharedTimer beat) {
    return new KeepAlive(every, patience, Optional.of(beat));
  }

  /** How many times the next ping is due before one without an answer is given up. */
  int turns() {
    return Math.toIntExact(patience.plus(every).minusNanos(1).dividedBy(every));
  }
}
