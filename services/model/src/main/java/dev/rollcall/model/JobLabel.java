package dev.rollcall.model;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * The words by which users know a job. Users can set the variables of which they are made, so they
 * only help to find a job, and grant nothing.
 *
 * @param batchId as the batch system lists the job where that is not its number: {@code 62_1} or
 *     {@code 64+1} in Slurm, {@code 901[3]} in others. Empty: unknown, or the number
 * @param name of the job; empty if it is unknown
 */
public record JobLabel(String batchId, String name) {
  /** The variable with which the hooks of other batch systems report the id. */
  public static final String BATCH_ID = "ROLLCALL_BATCH_ID";

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");

  private static final Pattern ID = Pattern.compile("[0-9]{1,10}([_+][0-9]{1,10}|\\[[0-9]{1,10}])");

  /** A longer one, or one with control characters, is no name for an ssh_config. */
  private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}]{1,128}");

  public static final JobLabel NONE = new JobLabel("", "");

  public JobLabel {
    batchId = ID.matcher(batchId).matches() ? batchId : "";
    name = NAME.matcher(name).matches() ? name : "";
  }

  /** Reads the variables of a job. */
  public static JobLabel of(Map<String, String> environment) {
    String id =
        environment.containsKey("SLURM_ARRAY_TASK_ID")
            ? environment.get("SLURM_ARRAY_JOB_ID") + "_" + environment.get("SLURM_ARRAY_TASK_ID")
            : component(environment);
    return new JobLabel(
        environment.getOrDefault(BATCH_ID, id), environment.getOrDefault("SLURM_JOB_NAME", ""));
  }

  /** Components have numbers in a row. No node gets a SLURM_HET_JOB_OFFSET (22.05, 24.11). */
  private static String component(Map<String, String> environment) {
    String first = environment.getOrDefault("SLURM_JOB_ID_HET_GROUP_0", "");
    String leader = environment.getOrDefault("SLURM_HET_JOB_ID", first);
    String job = environment.getOrDefault("SLURM_JOB_ID", "");
    return NUMBER.matcher(leader).matches() && NUMBER.matcher(job).matches()
        ? leader + "+" + (Long.parseLong(job) - Long.parseLong(leader))
        : "";
  }

  /** This, completed by another. */
  public JobLabel or(JobLabel other) {
    return new JobLabel(
        batchId.isEmpty() ? other.batchId : batchId, name.isEmpty() ? other.name : name);
  }

  /** Whether a text may be such an id. */
  public static boolean isBatchId(String text) {
    return ID.matcher(text).matches();
  }
}
