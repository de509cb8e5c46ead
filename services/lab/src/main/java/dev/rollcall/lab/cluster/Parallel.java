package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does several things at once and fails with the first that fails, after all have ended. */
public final class Parallel {
  private Parallel() {}

  /** One of them. */
  public interface Work {
    void run() throws IOException;
  }

  public static void run(List<Work> works) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all =
          works.stream().<Future<?>>map(work -> threads.submit(() -> done(work))).toList();
      for (Future<?> one : all) {
        one.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RigException("interrupted while raising the cluster", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RigException own
          ? own
          : new RigException("cannot raise the cluster", e.getCause());
    }
  }

  private static boolean done(Work work) throws IOException {
    work.run();
    return true;
  }
}
