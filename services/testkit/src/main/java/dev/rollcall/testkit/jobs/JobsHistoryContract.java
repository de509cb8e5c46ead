package dev.rollcall.testkit.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.testkit.history.History;
import dev.rollcall.testkit.history.Rounds;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What several threads do to a job at once is as if one did it after another. */
public abstract class JobsHistoryContract {
  protected abstract Jobs jobs();

  /** A process that runs until it is killed and is in no job. */
  protected abstract PinnedProcess start();

  protected abstract Rounds rounds();

  /** Ends a process, if no job did, and waits until it is gone. */
  protected abstract void finish(PinnedProcess process);

  Optional<History<JobDeed, JobAnswer>> unexplained() throws Exception {
    var number = new AtomicLong(100);
    return rounds()
        .unexplained(
            () ->
                new JobHistory(
                    jobs(), new JobId(number.incrementAndGet()), this::start, this::finish),
            new OneJob());
  }

  @Test
  void aJobIsLinearizable() throws Exception {
    assertEquals(Optional.empty(), unexplained());
    System.out.printf("%s: %s were linearizable%n", getClass().getSimpleName(), rounds());
  }
}
