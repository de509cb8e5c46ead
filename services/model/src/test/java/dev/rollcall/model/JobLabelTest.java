package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class JobLabelTest {
  private static String id(String... variables) {
    var environment = new java.util.HashMap<String, String>();
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return JobLabel.of(environment).batchId();
  }

  @Test
  void theIdIsTheOneThatTheBatchSystemLists() {
    assertEquals("62_1", id("SLURM_ARRAY_JOB_ID", "62", "SLURM_ARRAY_TASK_ID", "1"));
    assertEquals("64+1", id("SLURM_JOB_ID", "65", "SLURM_HET_JOB_ID", "64"));
    assertEquals("64+0", id("SLURM_JOB_ID", "64", "SLURM_JOB_ID_HET_GROUP_0", "64"));
    assertEquals("901[3]", id("ROLLCALL_BATCH_ID", "901[3]", "SLURM_ARRAY_TASK_ID", "1"));
    assertEquals("", id("SLURM_JOB_ID", "62"));
  }

  @Test
  void whatIsNoIdAndNoNameIsLeftOut() {
    assertEquals("", id("SLURM_ARRAY_TASK_ID", "1"));
    assertEquals("", id("ROLLCALL_BATCH_ID", "901[3]\n"));
    assertEquals("", id("SLURM_JOB_ID", "63", "SLURM_HET_JOB_ID", "64"));
    assertEquals("", id("SLURM_JOB_ID", "64", "SLURM_HET_JOB_ID", "64; x"));
    assertEquals("", id("SLURM_HET_JOB_ID", "64"));
    assertEquals(new JobLabel("", "my job"), JobLabel.of(Map.of("SLURM_JOB_NAME", "my job")));
    assertEquals(JobLabel.NONE, JobLabel.of(Map.of("SLURM_JOB_NAME", "a\u001b[2J")));
    assertEquals(JobLabel.NONE, JobLabel.of(Map.of("SLURM_JOB_NAME", "x".repeat(129))));
  }
}
