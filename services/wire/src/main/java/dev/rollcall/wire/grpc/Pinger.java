package dev.rollcall.wire.grpc;

import dev.rollcall.wire.grpc.KeepAlive.PingWatch;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Pings one HTTP/2 connection, and closes it when a ping stays unanswered. With a {@link PingWatch}
 * a peer that pings often enough is pinged only while it is used: its pings show that it lives, and
 * each answer to a ping of ours would wake this process once more.
 */
final class Pinger {
  private final HttpConnection connection;
  private final BooleanSupplier used;
  private final long silent;
  private final long patience;
  private long ticks;

  /**
   * @param silent after so many ticks a peer that is not used is pinged
   * @param patience so many ticks later it is given up
   */
  private Pinger(HttpConnection connection, BooleanSupplier used, long silent, long patience) {
    this.connection = connection;
    this.used = used;
    this.silent = silent;
    this.patience = patience;
  }

  /** Returns what to run when the connection has closed. Called on the connection's context. */
  static Runnable start(Vertx vertx, HttpConnection connection, KeepAlive keepAlive) {
    return keepAlive
        .watch()
        .map(watch -> start(watch, connection, keepAlive))
        .orElseGet(() -> {
          var pinger = new Pinger(connection, () -> true, 1, keepAlive.turns());
          long timer = vertx.setPeriodic(keepAlive.every().toMillis(), _ -> pinger.tick());
          return () -> vertx.cancelTimer(timer);
        });
  }

  private static Runnable start(PingWatch watch, HttpConnection connection, KeepAlive keepAlive) {
    // The peer's own pings come as often: one tick later it has missed one.
    long silent = keepAlive.every().dividedBy(keepAlive.patience()) + 1;
    var pinger = new Pinger(connection, watch.used(), silent, 1);
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
    // A peer that is used and hangs does harm: it is not left to its own pings.
    ticks = used.getAsBoolean() && ticks < silent ? silent : ticks + 1;
    if (ticks == silent) {
      connection.ping(Buffer.buffer(new byte[Long.BYTES])).onSuccess(_ -> heard());
    } else if (ticks >= silent + patience) {
      // Without waiting for the streams: nobody is there to end them.
      var _ = connection.shutdown(0, TimeUnit.SECONDS);
    }
  }
}
