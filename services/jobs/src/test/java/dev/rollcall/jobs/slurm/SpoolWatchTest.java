package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolWatchTest {
  @TempDir private Path spool;

  /** Looks again after a millisecond, and fails at that look. */
  private static final class Failing implements SpoolWatch.Hearer {
    final CountDownLatch failed = new CountDownLatch(1);
    final CountDownLatch heard = new CountDownLatch(1);
    private final AtomicInteger looks = new AtomicInteger();
    private final RuntimeException exception;
    private final Optional<Error> error;

    Failing(RuntimeException exception, Optional<Error> error) {
      this.exception = exception;
      this.error = error;
    }

    @Override
    public void spoolChanged() {
      if (looks.getAndIncrement() > 0) {
        heard.countDown();
        return;
      }
      failed.countDown();
      error.ifPresent(it -> {
        throw it;
      });
      throw exception;
    }

    @Override
    public void frozenOrThawed(JobId job) {}

    @Override
    public Optional<Duration> again() {
      return looks.get() == 0 ? Optional.of(Duration.ofMillis(1)) : Optional.empty();
    }
  }

  private void assertHearsAfter(Failing hearer) throws Exception {
    try (SpoolWatch watch = SpoolWatch.open(spool)) {
      watch.start(hearer);
      assertTrue(hearer.failed.await(20, TimeUnit.SECONDS));
      Files.createFile(spool.resolve("n1_42.4294967292"));
      assertTrue(hearer.heard.await(20, TimeUnit.SECONDS), "the thread goes on");
    }
  }

  @Test
  void aTimedLookThatThrowsDoesNotEndTheWatch() throws Exception {
    assertHearsAfter(new Failing(new IllegalStateException("on purpose"), Optional.empty()));
  }

  @Test
  void norDoesAnError() throws Exception {
    assertHearsAfter(
        new Failing(
            new IllegalStateException("not thrown"),
            Optional.of(new AssertionError("on purpose"))));
  }
}
