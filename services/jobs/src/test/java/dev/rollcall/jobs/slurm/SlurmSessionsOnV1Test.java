package dev.rollcall.jobs.slurm;

final class SlurmSessionsOnV1Test extends SlurmSessionsContract {
  SlurmSessionsOnV1Test() {
    super(SlurmRig.Kind.V1_22_05);
  }
}
