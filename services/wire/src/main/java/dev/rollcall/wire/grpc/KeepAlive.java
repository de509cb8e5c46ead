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
 * @param watch checks after each patience whether the peer has sent a ping, and pings only a peer
 *     that has not done so for longer than {@code every}; without it the pings have their own timer
 */
public record KeepAlive(Duration every, Duration patience, Optional<PingWatch> watch) {
  /** A dead peer is noticed within ten seconds, for a fifth of a wake-up per second. */
  public static final KeepAlive CALM = new KeepAlive(Duration.ofSeconds(5), Duration.ofSeconds(5));

  /**
   * For an agent, whose gateway pings every minute, with a shared timer of 30 seconds. A gateway
   * that hangs while its machine lives is noticed within two minutes of its last ping, or by {@link
   * GrpcChannel#need}. The kernel notices a machine that is gone ({@link PeerMachine}).
   */
  public static final KeepAlive RARE =
      new KeepAlive(Duration.ofSeconds(60), Duration.ofSeconds(30));

  public KeepAlive {
    if (every.toMillis() < 1 || patience.toMillis() < 1) {
      throw new IllegalArgumentException("every " + every + ", patience " + patience);
    }
  }

  public KeepAlive(Duration every, Duration patience) {
    this(every, patience, Optional.empty());
  }

  /**
   * Watches the pings of a peer.
   *
   * @param timer when they are checked
   * @param heard runs at each ping of the peer, on the connection's context
   */
  public record PingWatch(SharedTimer timer, Runnable heard) {}

  /** The same, checked at this timer. */
  public KeepAlive at(SharedTimer timer, Runnable heard) {
    return new KeepAlive(every, patience, Optional.of(new PingWatch(timer, heard)));
  }

  /** How many times the next ping is due before one without an answer is given up. */
  int turns() {
    return Math.toIntExact(patience.plus(every).minusNanos(1).dividedBy(every));
  }
}
