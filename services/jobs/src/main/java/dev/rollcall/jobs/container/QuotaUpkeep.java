package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.quota.TreeQuota;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks after the limits of private directories, every 15 seconds, on a thread of its own: takes in
 * what users made to get around them, and releases those of directories that are gone. A problem is
 * logged when it comes and when it changes.
 */
final class QuotaUpkeep implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(QuotaUpkeep.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(15);
  private static final Duration TO_STOP = Duration.ofSeconds(5);

  private final List<Path> bases;
  private final Map<Path, String> problems = new HashMap<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread;

  private QuotaUpkeep(List<Path> bases) {
    this.bases = List.copyOf(bases);
    this.thread = Thread.ofPlatform().name("rollcall-limits").daemon().unstarted(this::run);
  }

  /**
   * Begins.
   *
   * @param bases below which limited directories are; without any nothing is started
   */
  static QuotaUpkeep of(List<Path> bases) {
    var upkeep = new QuotaUpkeep(bases);
    if (!bases.isEmpty()) {
      upkeep.thread.start();
    }
    return upkeep;
  }

  private void run() {
    try {
      do {
        bases.forEach(this::tend);
      } while (!end.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tend(Path base) {
    try {
      TreeQuota.Tended tended = TreeQuota.tend(base);
      if (tended.enclosed() > 0) {
        LOG.log(
            WARNING,
            "{0}: {1} subvolumes of users were outside of a limit, and are limited now",
            base,
            tended.enclosed());
      }
      if (problems.remove(base) != null) {
        LOG.log(INFO, "{0}: its limits are in force again", base);
      }
    } catch (IOException | RuntimeException e) { // the others are to be looked after all the same
      String problem = String.valueOf(e.getMessage());
      if (!problem.equals(problems.put(base, problem))) {
        LOG.log(WARNING, "{0}: its limits are not in force: {1}", base, problem);
      }
    }
  }

  @Override
  public void close() {
    end.countDown();
    try {
      if (thread.isAlive() && !thread.join(TO_STOP)) {
        LOG.log(WARNING, "the check of limits does not stop: a file system hangs");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
