package dev.rollcall.jobs.slurm;

final class SlurmJobsOnV1Test extends SlurmJobsContract {
  SlurmJobsOnV1Test() {
    super(SlurmRig.Kind.V1_22_05);
  }
}
