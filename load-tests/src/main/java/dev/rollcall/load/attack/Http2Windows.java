package dev.rollcall.load.attack;

import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Counts the bytes that a server of HTTP/2 still accepts (RFC 9113, section 5.2). */
final class Http2Windows {
  private static final int DEFAULT = 65_535;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int SETTING_BYTES = 6;
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Map<Integer, Long> streams = new HashMap<>();
  private long initial = DEFAULT;
  private long connection = DEFAULT;

  synchronized void settings(Buffer payload) {
    for (int at = 0; at + SETTING_BYTES <= payload.length(); at += SETTING_BYTES) {
      if (payload.getUnsignedShort(at) == INITIAL_WINDOW_SIZE) {
        long grown = payload.getUnsignedInt(at + 2) - initial;
        initial += grown;
        streams.replaceAll((_, left) -> left + grown);
      }
    }
    notifyAll();
  }

  synchronized void grow(int stream, int by) {
    if (stream == 0) {
      connection += by;
    } else {
      streams.merge(stream, initial + by, (left, _) -> left + by);
    }
    notifyAll();
  }

  /** Takes at most so many bytes; 0 if the server accepts none for half a second. */
  synchronized int take(int stream, int wanted) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (room(stream) <= 0) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return 0;
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return 0;
      }
    }
    int taken = (int) Math.min(wanted, room(stream));
    connection -= taken;
    streams.merge(stream, initial - taken, (left, _) -> left - taken);
    return taken;
  }

  private long room(int stream) {
    return Math.min(connection, streams.getOrDefault(stream, initial));
  }
}
