package dev.rollcall.wire.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecentPagesTest {
  private final AtomicInteger made = new AtomicInteger();

  private RecentPages every(Duration every) {
    return new RecentPages(
        _ -> Future.succeededFuture(new byte[] {(byte) made.incrementAndGet()}), every);
  }

  @Test
  void whoComesTooSoonGetsTheLastPageAtOnceAndAnotherTypeItsOwn() {
    var pages = every(Duration.ofHours(1));
    byte[] first = pages.page("text/plain").result();
    assertEquals(first, pages.page("text/plain").result());
    assertNotEquals(first, pages.page("other").result());
    assertEquals(2, made.get());
  }

  @Test
  void afterTheWhileThereIsANewPage() {
    var pages = every(Duration.ZERO);
    assertNotEquals(pages.page("text/plain").result(), pages.page("text/plain").result());
  }
}
