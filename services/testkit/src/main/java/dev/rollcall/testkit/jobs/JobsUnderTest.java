package dev.rollcall.testkit.jobs;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.StepResult;
import dev.rollcall.port.PinnedProcess;
import java.time.Duration;
import java.time.Instant;

/** A provider of jobs and the processes of a node; each test has one of its own, without jobs. */
public abstract class JobsUnderTest {
  static final Duration WAIT = Duration.ofSeconds(10);
  static final Instant NOON = Instant.parse("2026-11-20T12:00:00.123456789Z");
  static final JobId JOB = new JobId(42);
  static final int ALICE = 1001;

  protected abstract Jobs jobs();

  /** A process that runs until it is killed, is called {@code sleep} and is in no job. */
  protected abstract PinnedProcess start();

  /** Ends a process and waits until it is gone. */
  protected abstract void finish(PinnedProcess process);

  /** The cgroups that the kernel would report for a call of this process. */
  protected abstract CgroupIds cgroupsOf(PinnedProcess process);

  /** Whether the node has the controllers by which memory and processes are limited. */
  protected abstract boolean limits();

  /** Does what a process that becomes the step does. */
  protected abstract void enter(PinnedProcess process, StepResult.Made step);

  static JobSpec spec(JobId id, int uid, Instant at) {
    return new JobSpec(id, uid, uid, at);
  }

  final Job begin(JobId id) {
    return assertInstanceOf(BeginResult.Begun.class, jobs().begin(spec(id, ALICE, NOON))).job();
  }

  final Adopted adopt(PinnedProcess process, JobId into) {
    return assertInstanceOf(Adopted.class, jobs().adopt(process, into, ALICE));
  }

  static JobStep extern(JobId id) {
    return new JobStep(id, StepId.EXTERN);
  }
}
