package dev.rollcall.wire.metrics;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Renders the metrics for each content type at most once in a while, for all clients together.
 * Requests that come sooner wait for the next rendering, which all of them get; no page is older
 * than its request. While too many wait, further ones get the last page at once. Thread-safe.
 */
final class ThrottledScrape {
  static final int MOST_WAITING = 1_024;

  private final VertxInternal vertx;
  private final UnaryOperator<String> scrape;
  private final long everyNanos;
  private final Map<String, Rendering> renderings = new HashMap<>();

  /**
   * @param scrape from a content type to the metrics in it
   * @param every from one rendering to the next
   */
  ThrottledScrape(Vertx vertx, UnaryOperator<String> scrape, Duration every) {
    this.everyNanos = every.toNanos();
    this.vertx = (VertxInternal) vertx;
    this.scrape = scrape;
  }

  /** The metrics, on the caller's context. Fails as the rendering fails. */
  Future<Buffer> page(String type) {
    Rendering rendering;
    synchronized (renderings) {
      rendering = renderings.computeIfAbsent(type, Rendering::new);
    }
    return rendering.next();
  }

  private final class Rendering {
    private final String type;
    private List<Promise<Buffer>> waiting = new ArrayList<>();
    private Future<Buffer> last = Future.failedFuture("nothing has been rendered");
    private long renderedNanos = System.nanoTime() - everyNanos;
    private boolean scheduled;

    Rendering(String type) {
      this.type = type;
    }

    synchronized Future<Buffer> next() {
      long leftNanos = everyNanos - (System.nanoTime() - renderedNanos);
      if (!scheduled && leftNanos <= 0) {
        return render();
      }
      if (waiting.size() >= MOST_WAITING) {
        return last;
      }
      Promise<Buffer> promise = vertx.getOrCreateContext().promise();
      waiting.add(promise);
      if (!scheduled) {
        scheduled = true;
        vertx.setTimer(1 + Math.max(0, Duration.ofNanos(leftNanos).toMillis()), _ -> due());
      }
      return promise.future();
    }

    private void due() {
      List<Promise<Buffer>> asked;
      Future<Buffer> page;
      synchronized (this) {
        scheduled = false;
        asked = waiting;
        waiting = new ArrayList<>();
        page = render();
      }
      asked.forEach(page::onComplete);
    }

    private Future<Buffer> render() {
      try {
        last = Future.succeededFuture(Buffer.buffer(scrape.apply(type)));
      } catch (RuntimeException e) {
        last = Future.failedFuture(e);
      }
      renderedNanos = System.nanoTime();
      return last;
    }
  }
}
