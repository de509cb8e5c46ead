package dev.rollcall.jobs.slurm;

/** The place of Slurm's job in the cgroups, found by those of its step daemon. */
sealed interface Placement {
  /**
   * @param hierarchy "" for v2, else the v1 controller that was looked at
   * @param job the job's cgroup, as {@code /proc/PID/cgroup} writes it
   * @param users the cgroup that holds the processes of the extern step and is frozen with it
   */
  record Placed(String hierarchy, String job, String users) implements Placement {
    String extern() {
      return job + "/step_extern";
    }
  }

  /** The daemon waits outside of its step's cgroups, as it does when a step starts or ends. */
  record Waiting() implements Placement {}

  /**
   * @param reason for people: what was found, of no layout that is known
   */
  record Unknown(String reason) implements Placement {}
}
