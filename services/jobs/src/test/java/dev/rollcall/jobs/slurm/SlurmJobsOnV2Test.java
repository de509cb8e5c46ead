package dev.rollcall.jobs.slurm;

final class SlurmJobsOnV2Test extends SlurmJobsContract {
  SlurmJobsOnV2Test() {
    super(SlurmRig.Kind.V2_26_05);
  }
}
