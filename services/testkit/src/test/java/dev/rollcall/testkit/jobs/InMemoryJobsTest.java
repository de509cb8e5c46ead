package dev.rollcall.testkit.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.StepResult;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.SessionPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InMemoryJobsTest extends JobsContract {
  private static final JobId JOB = new JobId(7);
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final int OWNER = 1001;
  private static final JobSpec SPEC = new JobSpec(JOB, OWNER, OWNER, Instant.EPOCH);

  private final InMemoryJobs jobs = new InMemoryJobs();

  @Override
  protected Jobs jobs() {
    return jobs;
  }

  @Override
  protected PinnedProcess start() {
    return jobs.start("sleep");
  }

  @Override
  protected void finish(PinnedProcess process) {
    ((FakeProcess) process).exit();
  }

  @Override
  protected CgroupIds cgroupsOf(PinnedProcess process) {
    return jobs.cgroupsOf(process.ref());
  }

  @Override
  protected void moveItself(PinnedProcess process, SessionPlace place, String leaf) {
    String path = place.cgroups().getFirst().path();
    String job = path.replaceFirst(".*/job_([0-9]+)/.*", "$1");
    jobs.moveItself((FakeProcess) process, JobId.parse(job), leaf);
  }

  @Override
  protected boolean limits() {
    return true;
  }

  @Override
  protected void enter(PinnedProcess process, StepResult.Made step) {
    jobs.enter((FakeProcess) process, step.step());
  }

  @Test
  void aProcessThatCannotBeKilledKeepsItsJobClosing() {
    jobs.begin(SPEC);
    FakeProcess hung = jobs.start("dd");
    jobs.adopt(hung, JOB, OWNER);
    hung.killable(false);
    assertEquals(
        new EndResult.Unclean(
            0, List.of(new JobProcess(hung.ref(), StepId.EXTERN, "dd")), "processes do not end"),
        jobs.end(JOB, Duration.ZERO));
    assertEquals(JobState.CLOSING, jobs.list().getFirst().state());
    hung.killable(true);
    assertEquals(new EndResult.Clean(1), jobs.end(JOB, Duration.ZERO));
  }

  @Test
  void aSuspendedJobAndARefusingKernelAdoptNobody() {
    jobs.put(new Job(JOB, 1001, 1001, Instant.EPOCH, JobState.SUSPENDED));
    AdoptResult result = jobs.adopt(jobs.start("sshd"), JOB, OWNER);
    assertTrue(assertInstanceOf(AdoptResult.NotOpen.class, result).reason().contains("suspended"));
    jobs.put(new Job(JOB, 1001, 1001, Instant.EPOCH, JobState.OPEN));
    jobs.refuseMoves(Optional.of("no"));
    assertEquals(new AdoptResult.Failed("no"), jobs.adopt(jobs.start("sshd"), JOB, OWNER));
  }

  @Test
  void aGuessIsConfirmedByItsOwnerAloneAndOnce() {
    jobs.guess(new Job(JOB, 1001, 1001, Instant.EPOCH, JobState.SUSPENDED));
    assertEquals(Set.of(JOB), jobs.guessed());
    assertInstanceOf(BeginResult.Refused.class, jobs.confirm(new JobSpec(JOB, 7, 7, NOON)));
    Job told = new Job(JOB, 1001, 77, NOON, JobState.SUSPENDED);
    assertEquals(new BeginResult.Begun(told), jobs.confirm(new JobSpec(JOB, 1001, 77, NOON)));
    assertEquals(List.of(told), jobs.list());
    assertEquals(Set.of(), jobs.guessed());
    assertInstanceOf(BeginResult.Refused.class, jobs.confirm(SPEC));
  }
}
