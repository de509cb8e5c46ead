package dev.rollcall.wire.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ThrottledScrapeTest {
  private static final String TEXT = "text/plain";

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final AtomicInteger rendered = new AtomicInteger();

  private ThrottledScrape every(Duration every) {
    return new ThrottledScrape(vertx, type -> type + " " + rendered.incrementAndGet(), every);
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void theFirstIsRenderedAtOnce() {
    var scrape = every(Duration.ofHours(1));
    assertTrue(scrape.page(TEXT).isComplete());
    assertEquals(1, rendered.get());
  }

  @Test
  void allThatComeTooSoonGetOneRenderingThatIsNoOlderThanTheirRequest() {
    var scrape = every(Duration.ofSeconds(3));
    var first = scrape.page(TEXT).await();
    List<Future<Buffer>> asked = new ArrayList<>();
    for (int i = 0; i < ThrottledScrape.MOST_WAITING; i++) {
      asked.add(scrape.page(TEXT));
    }
    assertFalse(asked.getFirst().isComplete());
    Set<String> pages =
        asked.stream().map(page -> page.await().toString()).collect(Collectors.toSet());
    assertEquals("text/plain 1", first.toString());
    assertEquals(Set.of("text/plain 2"), pages);
  }

  @Test
  void oneMoreThanMayWaitGetsTheLastPageAtOnce() {
    var scrape = every(Duration.ofHours(1));
    var _ = scrape.page(TEXT).await();
    for (int i = 0; i < ThrottledScrape.MOST_WAITING; i++) {
      var _ = scrape.page(TEXT);
    }
    Future<Buffer> over = scrape.page(TEXT);
    assertTrue(over.isComplete());
    assertEquals("text/plain 1", over.await().toString());
  }

  @Test
  void anotherContentTypeHasItsOwnRendering() {
    var scrape = every(Duration.ofHours(1));
    var _ = scrape.page(TEXT).await();
    assertEquals("other 2", scrape.page("other").await().toString());
  }
}
