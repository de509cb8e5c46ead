package dev.rollcall.wire.grpc.limit;

import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Counts TLS handshakes that failed, and logs one of an hour: anybody can cause them. Clients that
 * close before the end are not counted, as a kubelet does that tries a port. Thread-safe.
 */
public final class FailedHandshakes {
  private static final System.Logger LOG = System.getLogger(FailedHandshakes.class.getName());
  private static final long BETWEEN_LINES = 3_600_000_000_000L;

  /** The JDK's text, of TLS 1.2 and 1.3. */
  private static final String NOTHING = "Empty client certificate chain";

  private final LongAdder count = new LongAdder();
  private final AtomicLong silentUntil = new AtomicLong(System.nanoTime());

  long count() {
    return count.sum();
  }

  /**
   * A connection failed before it was open.
   *
   * @param where the server listens
   */
  public void failed(String where, Throwable cause) {
    if (!(cause instanceof SSLException)
        || Stream.of(cause.getSuppressed()).anyMatch(ClosedChannelException.class::isInstance)) {
      return;
    }
    count.increment();
    long now = System.nanoTime();
    long until = silentUntil.get();
    if (now - until >= 0 && silentUntil.compareAndSet(until, now + BETWEEN_LINES)) {
      String text = String.valueOf(cause.getMessage());
      LOG.log(
          Level.WARNING,
          "a TLS handshake at {0} failed: {1}. Others of this hour are only counted, as"
              + " rollcall_peer_handshakes_failed_total",
          where,
          text.endsWith(NOTHING)
              ? "the client presented no certificate, and this port requires one"
              : text);
    }
  }
}
