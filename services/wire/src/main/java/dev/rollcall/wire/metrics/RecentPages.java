package dev.rollcall.wire.metrics;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Makes a page for each content type at most once in a while. Requests that come sooner get the
 * last page, or the one that is being made. Thread-safe.
 */
final class RecentPages {
  private record Page(long sinceNanos, Future<byte[]> bytes) {}

  private final Function<String, Future<byte[]>> making;
  private final long everyNanos;
  private final Map<String, Page> pages = new HashMap<>();

  RecentPages(Function<String, Future<byte[]>> making, Duration every) {
    this.making = making;
    this.everyNanos = every.toNanos();
  }

  synchronized Future<byte[]> page(String type) {
    Page last = pages.get(type);
    long now = System.nanoTime();
    if (last == null || (last.bytes.isComplete() && now - last.sinceNanos >= everyNanos)) {
      last = new Page(now, making.apply(type));
      pages.put(type, last);
    }
    return last.bytes;
  }
}
