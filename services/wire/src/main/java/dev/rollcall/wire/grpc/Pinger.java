package dev.rollcall.wire.grpc;

import dev.rollcall.wire.grpc.KeepAlive.PingWatch;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.TimeUnit;

/**
 * Pings one HTTP/2 connection, and closes it when a ping stays unanswered. With a {@link PingWatch}
 * a peer that pings often enough is not pinged: its pings show that it lives, and each answer to a
 * ping of ours would wake this process once more.
 */
final class Pinger {
  private final HttpConnection connection;
  private final long silent;
  private final long patience;
  private long ticks;

  /**
   * @param silent after so many ticks without a ping the peer is pinged
   * @param patience so many ticks later it is given up
   */
  private Pinger(HttpConnection connection, long silent, long patience) {
    this.connection = connection;
    this.silent = silent;
    this.patience = patience;
  }

  /** Returns what to run when the connection has closed. Called on the connection's context. */
  static Runnable start(Vertx vertx, HttpConnection connection, KeepAlive keepAlive) {
    return keepAlive
        .watch()
        .map(watch -> start(watch, connection, keepAlive))
        .orElseGet(() -> {
          var pinger = new Pinger(connection, 1, keepAlive.turns());
          long timer = vertx.setPeriodic(keepAlive.every().toMillis(), _ -> pinger.tick());
          return () -> vertx.cancelTimer(timer);
        });
  }

  private static Runnable start(PingWatch watch, HttpConnection connection, KeepAlive keepAlive) {
    // The peer's own pings come as often: one tick later it has missed one.
    long silent = keepAlive.every().dividedBy(keepAlive.patience()) + 1;
    var pinger = new Pinger(connection, silent, 1);
    connection.pingHandler(_ -> {
      pinger.heard();
      watch.heard().run();
    });
    return watch.timer().repeat(keepAlive.patience(), pinger::tick);
  }

  private void heard() {
    ticks = 0;
  }

  private void tick() {
    ticks++;
    if (ticks == silent) {
      connection.ping(Buffer.buffer(new byte[Long.BYTES])).onSuccess(_ -> heard());
    } else if (ticks >= silent + patience) {
      // Without waiting for the streams: nobody is there to end them.
      var _ = connection.shutdown(0, TimeUnit.SECONDS);
    }
  }
}
