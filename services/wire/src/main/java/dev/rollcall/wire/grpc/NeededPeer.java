package dev.rollcall.wire.grpc;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Closes an HTTP/2 connection whose peer does not answer a ping while somebody needs it. */
final class NeededPeer {
  private static final System.Logger LOG = System.getLogger(NeededPeer.class.getName());

  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final long BETWEEN_PINGS_NANOS = Duration.ofSeconds(1).toNanos();

  private final Vertx vertx;
  private final HttpConnection connection;
  private final AtomicBoolean waits = new AtomicBoolean();
  private volatile long pingedAt = System.nanoTime() - BETWEEN_PINGS_NANOS;

  NeededPeer(Vertx vertx, HttpConnection connection) {
    this.vertx = vertx;
    this.connection = connection;
  }

  /** Pings, unless a ping was sent within the last second or waits for its answer. */
  void need() {
    long now = System.nanoTime();
    if (now - pingedAt < BETWEEN_PINGS_NANOS || !waits.compareAndSet(false, true)) {
      return;
    }
    pingedAt = now;
    long end = vertx.setTimer(PATIENCE.toMillis(), _ -> end());
    connection
        .ping(Buffer.buffer(new byte[Long.BYTES]))
        .onComplete(_ -> {
          vertx.cancelTimer(end);
          waits.set(false);
        });
  }

  private void end() {
    LOG.log(
        Level.WARNING,
        "{0} has not answered a ping for {1} s: the connection is closed",
        connection.remoteAddress(),
        PATIENCE.toSeconds());
    var _ = connection.shutdown(0, TimeUnit.SECONDS);
  }
}
