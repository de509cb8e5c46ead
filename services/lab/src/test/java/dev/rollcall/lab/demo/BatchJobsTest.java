package dev.rollcall.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchJobsTest {
  @ParameterizedTest
  @CsvSource({
    "6:freezer:/rollcall-1/node2/slurm_node2/uid_2001/job_7/step_extern, 7",
    "6:freezer:/rollcall-1/node2/slurm_node2/uid_2001/job_7/step_extern/task_1, 7",
    "6:freezer:/rollcall-1/node2/slurm_node2/uid_2001/job_7/step_0, -1",
    "6:freezer:/rollcall-1/node1/slurm_node1/uid_2001/job_7/step_extern, -1",
    "4:memory:/rollcall-1/node2/slurm_node2/uid_2001/job_7/step_extern, -1",
    "6:freezer:/rollcall-1/node2, -1"
  })
  void believesTheFreezerOfTheNodesOwnSlurmdAlone(String line, long job) {
    OptionalLong expected = job < 0 ? OptionalLong.empty() : OptionalLong.of(job);
    assertEquals(expected, BatchJobs.adopter("node2", "9:pids:/\n" + line + "\n0::/x\n"));
  }
}
