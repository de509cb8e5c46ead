package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobPathTest {
  private static final JobPath PATH = new JobPath("/node1/rollcall.scope");

  @ParameterizedTest
  @CsvSource({
    "/job_42/step_extern/user/session_1, 42, extern",
    "/job_42/step_0/user/task_0, 42, 0",
    "/job_4294967295/step_batch/user/task_0/deeper/still, 4294967295, batch",
    "/job_42/step_extern, 42, extern",
    "/job_42, 42, extern",
    "/job_42/step_nonsense/user, 42, extern",
    "/job_42/job_43/step_0, 42, extern"
  })
  void theDirectoryRightBelowTheRootNamesTheJob(String below, long job, String step) {
    assertEquals(
        Optional.of(new JobStep(new JobId(job), new StepId(step))),
        PATH.jobStepOf(PATH.root() + below));
  }

  @Test
  void aLookAlikeInAUsersDelegatedCgroupIsNoJob() {
    for (String delegated :
        new String[] {
          "/user.slice/user-1001.slice/user@1001.service/rollcall.scope",
          "/user.slice/node1/rollcall.scope",
          "/rollcall.scope",
          "/node1/rollcall.scope2",
          "/node1/rollcall.scope/../rollcall.scope",
          "/node2/rollcall.scope"
        }) {
      assertEquals(
          Optional.empty(), PATH.jobStepOf(delegated + "/job_42/step_extern/user/session_1"));
    }
  }

  @Test
  void aJobNestedBelowAnotherJobsLeafIsTheOtherJobs() {
    assertEquals(
        Optional.of(new JobStep(new JobId(7), StepId.of(3))),
        PATH.jobStepOf(
            PATH.root() + "/job_7/step_3/user/task_0/job_42/step_extern/user/session_1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/job_",
        "/job_0",
        "/job_042",
        "/job_-1",
        "/job_42x",
        "/job_4294967296",
        "/job_99999999999999999999",
        "/JOB_42",
        "//job_42",
        "/x/job_42",
        "/job_42 (deleted)",
        "job_42"
      })
  void whatIsNotExactlyAJobsNameIsNone(String below) {
    assertEquals(Optional.empty(), PATH.jobStepOf(PATH.root() + below));
  }

  @Test
  void theRootMayBeTheMountsOwn() {
    assertEquals(
        Optional.of(new JobStep(new JobId(1), StepId.EXTERN)),
        new JobPath("/rollcall.scope").jobStepOf("/rollcall.scope/job_1"));
    assertThrows(IllegalArgumentException.class, () -> new JobPath("/"));
    assertThrows(IllegalArgumentException.class, () -> new JobPath("rollcall.scope"));
  }
}
