package dev.rollcall.gateway.batch;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.util.Map;

/** The result of a run of squeue. */
public sealed interface SqueueAnswer {
  /**
   * @param started the cluster's jobs that have
   */
  record Told(Map<JobId, JobSpec> started) implements SqueueAnswer {}

  /**
   * @param kind of two failures that say the same to an administrator
   * @param reason for people, without the program's name
   */
  record Failed(String kind, String reason) implements SqueueAnswer {}
}
