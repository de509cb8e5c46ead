package dev.rollcall.wire.grpc;

import dev.rollcall.wire.grpc.KeepAlive.PingWatch;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Closes an HTTP/2 connection when its peer sends neither pings nor answers to them. A peer that
 * pings often enough is pinged only while it is used: its pings show that it lives, and each answer
 * to a ping of ours would wake this process once more.
 */
final class SilentPeer {
  private final HttpConnection connection;
  private final BooleanSupplier used;
  private final long mostLooks;
  private long looks;

  private SilentPeer(HttpConnection connection, BooleanSupplier used, long mostLooks) {
    this.connection = connection;
    this.used = used;
    this.mostLooks = mostLooks;
  }

  /** Returns what to run when the connection has closed. Called on the connection's context. */
  static Runnable watch(HttpConnection connection, KeepAlive keepAlive, PingWatch watch) {
    // The peer's own pings come as often: one look later it has missed one.
    long most = keepAlive.every().dividedBy(keepAlive.patience()) + 1;
    var peer = new SilentPeer(connection, watch.used(), most);
    connection.pingHandler(_ -> {
      peer.heard();
      watch.heard().run();
    });
    return watch.timer().repeat(keepAlive.patience(), peer::look);
  }

  private void heard() {
    looks = 0;
  }

  private void look() {
    // A peer that is used and hangs does harm: it is not left to its own pings.
    looks = used.getAsBoolean() && looks < mostLooks ? mostLooks : looks + 1;
    if (looks == mostLooks) {
      connection.ping(Buffer.buffer(new byte[Long.BYTES])).onSuccess(_ -> heard());
    } else if (looks > mostLooks) {
      // Without waiting for the streams: nobody is there to end them.
      var _ = connection.shutdown(0, TimeUnit.SECONDS);
    }
  }
}
