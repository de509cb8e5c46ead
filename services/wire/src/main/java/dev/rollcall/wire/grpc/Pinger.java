package dev.rollcall.wire.grpc;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.TimeUnit;

/** Pings one HTTP/2 connection until it closes, and closes it when a ping stays unanswered. */
final class Pinger {
  private final HttpConnection connection;
  private final int patience;
  private boolean waiting;
  private int turnsWaited;

  private Pinger(HttpConnection connection, int patience) {
    this.connection = connection;
    this.patience = patience;
  }

  /** Returns what to run when the connection has closed. Called on the connection's context. */
  static Runnable start(Vertx vertx, HttpConnection connection, KeepAlive keepAlive) {
    return keepAlive
        .watch()
        .map(watch -> SilentPeer.watch(connection, keepAlive, watch))
        .orElseGet(() -> startTimer(vertx, connection, keepAlive));
  }

  private static Runnable startTimer(Vertx vertx, HttpConnection connection, KeepAlive keepAlive) {
    var pinger = new Pinger(connection, keepAlive.turns());
    long timer = vertx.setPeriodic(keepAlive.every().toMillis(), _ -> pinger.turn());
    return () -> vertx.cancelTimer(timer);
  }

  private void turn() {
    if (!waiting) {
      ping();
      return;
    }
    turnsWaited++;
    if (turnsWaited >= patience) {
      giveUp();
    }
  }

  private void ping() {
    waiting = true;
    turnsWaited = 0;
    connection.ping(Buffer.buffer(new byte[Long.BYTES])).onComplete(_ -> waiting = false);
  }

  /** Without waiting for the streams: nobody is there to end them. */
  private void giveUp() {
    connection.shutdown(0, TimeUnit.SECONDS);
  }
}
