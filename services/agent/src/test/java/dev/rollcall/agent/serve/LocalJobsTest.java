package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalJobsTest {
  private static final int HALF_A_MESSAGE = 1 << 19;

  private final InMemoryJobs jobs = new InMemoryJobs();
  private final LocalJobs local =
      new LocalJobs(
          jobs, TestNode.IDENTITY.node(), uid -> "user" + uid, EnvironmentAllowList.DEFAULTS);

  /** A user makes processes, asks for them 32 times at once, and reads nothing. */
  @Test
  void aListOfProcessesIsCutFarBelowTheLargestMessage() {
    jobs.put(new Job(TestNode.OLDER, TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.OPEN));
    var step = new JobStep(TestNode.OLDER, StepId.EXTERN);
    for (int i = 0; i < LocalJobs.MOST_PROCESSES + 1; i++) {
      jobs.enter(jobs.start("fifteen-letters"), step);
    }
    var message = local.processes(TestNode.OLDER);
    assertEquals(LocalJobs.MOST_PROCESSES, message.getProcessesCount());
    assertTrue(
        message.getSerializedSize() < HALF_A_MESSAGE, message.getSerializedSize() + " bytes");
  }

  /** By default it has none of them, so that no program of MPI looks for Slurm. */
  @Test
  void aStepHasNamesOfSlurmsIfTheSiteListsThem() {
    jobs.put(new Job(TestNode.OLDER, TestNode.ALICE, TestNode.ALICE, TestNode.NOON, JobState.OPEN));
    assertEquals(Map.of(), ofAStep(EnvironmentAllowList.DEFAULTS));
    assertEquals(
        Map.of("SLURM_JOBID", "41", "SLURM_STEP_ID", "1"),
        ofAStep(new EnvironmentAllowList(List.of("SLURM_JOBID", "SLURM_STEP_ID"))));
  }

  private Map<String, String> ofAStep(EnvironmentAllowList list) {
    var here = new LocalJobs(jobs, TestNode.IDENTITY.node(), uid -> "user" + uid, list);
    return new JobChanges(here, Duration.ZERO)
        .beginStep(TestNode.OLDER, Optional.empty(), Limits.NONE, DeviceRules.OPEN)
        .getEnvironmentMap();
  }
}
