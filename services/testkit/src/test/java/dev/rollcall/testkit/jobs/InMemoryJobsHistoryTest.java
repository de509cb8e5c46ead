package dev.rollcall.testkit.jobs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.testkit.history.Rounds;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class InMemoryJobsHistoryTest extends JobsHistoryContract {
  private final InMemoryJobs fake = new InMemoryJobs();
  private Jobs jobs = fake;

  @Override
  protected Jobs jobs() {
    return jobs;
  }

  @Override
  protected PinnedProcess start() {
    return fake.start("sleep");
  }

  @Override
  protected void finish(PinnedProcess process) {
    ((FakeProcess) process).exit();
  }

  @Override
  protected Rounds rounds() {
    return Rounds.of(2_000, 50_000, 3, 5);
  }

  /** The same jobs, but whose adoption does not hold the lock from the look to the entry. */
  private Jobs withoutLock() {
    return (Jobs)
        Proxy.newProxyInstance(
            Jobs.class.getClassLoader(),
            new Class<?>[] {Jobs.class},
            (_, method, arguments) -> {
              if (method.getName().equals("adopt")) {
                return adopt((FakeProcess) arguments[0], (JobId) arguments[1], (int) arguments[2]);
              }
              try {
                return method.invoke(fake, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Jobs.AdoptResult adopt(FakeProcess process, JobId into, int uid) {
    boolean open =
        fake.list().stream()
            .filter(job -> job.state() == JobState.OPEN)
            .map(Job::id)
            .anyMatch(into::equals);
    if (!open) {
      return fake.adopt(process, into, uid);
    }
    LockSupport.parkNanos(1_000);
    var step = new JobStep(into, StepId.EXTERN);
    fake.enter(process, step);
    return new Jobs.AdoptResult.Adopted(step, "", "");
  }

  @Test
  void anAdoptionWithoutTheLockIsFound() throws Exception {
    jobs = withoutLock();
    assertTrue(unexplained().isPresent());
  }
}
