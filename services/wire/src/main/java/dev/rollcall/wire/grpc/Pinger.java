package dev.rollcall.wire.grpc;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import java.util.concurrent.TimeUnit;

/** Pings one HTTP/2 connection until it closes, and closes it when a ping stays unanswered. */
final class Pinger {
  private final Vertx vertx;
  private final HttpConnection connection;
  private final KeepAlive keepAlive;
  private boolean waiting;

  private Pinger(Vertx vertx, HttpConnection connection, KeepAlive keepAlive) {
    this.vertx = vertx;
    this.connection = connection;
    this.keepAlive = keepAlive;
  }

  /** Returns what to run when the connection has closed. Called on the connection's context. */
  static Runnable start(Vertx vertx, HttpConnection connection, KeepAlive keepAlive) {
    var pinger = new Pinger(vertx, connection, keepAlive);
    long timer = vertx.setPeriodic(keepAlive.every().toMillis(), _ -> pinger.ping());
    return () -> vertx.cancelTimer(timer);
  }

  private void ping() {
    if (waiting) {
      return;
    }
    waiting = true;
    long deadline = vertx.setTimer(keepAlive.patience().toMillis(), _ -> giveUp());
    connection
        .ping(Buffer.buffer(new byte[Long.BYTES]))
        .onComplete(_ -> {
          waiting = false;
          vertx.cancelTimer(deadline);
        });
  }

  /** Without waiting for the streams: nobody is there to end them. */
  private void giveUp() {
    connection.shutdown(0, TimeUnit.SECONDS);
  }
}
