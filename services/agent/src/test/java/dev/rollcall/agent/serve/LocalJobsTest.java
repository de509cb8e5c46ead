package dev.rollcall.agent.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.testkit.jobs.InMemoryJobs;
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
}
