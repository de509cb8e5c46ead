package dev.rollcall.jobs.slurm;

import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SlurmJobsOnV2Test extends SlurmJobsContract {
  SlurmJobsOnV2Test() {
    super(SlurmRig.Kind.V2_26_05);
  }

  /** A job of ssh sessions alone: no other step ends before it. */
  @Test
  void whatAJobUsedCanBeReadAsItsLastProcessEnds() {
    var told = new AtomicInteger();
    rig.extern(42);
    rig.jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void mayEnd(Job job) {
                told.incrementAndGet();
              }
            });
    Pidfd session = rig.sleeper();
    var _ = rig.adopt(session, new JobId(42));
    int before = told.get();
    ProcessHandle.of(session.ref().pid()).orElseThrow().destroyForcibly();
    SlurmRig.await("its end is told", () -> told.get() > before);
  }
}
