package dev.rollcall.jobs.own;

import dev.rollcall.model.JobState;
import dev.rollcall.model.usage.Incident;
import java.util.function.Consumer;

/** The limits and the permitted devices of a job. */
record Bounds(Limiting limiting, Devices devices) {
  /**
   * Puts back what drifted. Not while something else is at the job: the next time will do.
   *
   * @param befell gets the incident
   */
  void hold(NativeJob job, Consumer<Incident> befell) {
    if (!job.lock.tryLock()) {
      return;
    }
    try {
      if (job.state() == JobState.OPEN || job.state() == JobState.SUSPENDED) {
        limiting.hold(job, befell);
        devices.hold(job, befell);
      }
    } finally {
      job.lock.unlock();
    }
  }
}
