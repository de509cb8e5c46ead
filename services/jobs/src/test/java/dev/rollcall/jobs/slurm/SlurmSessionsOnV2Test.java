package dev.rollcall.jobs.slurm;

final class SlurmSessionsOnV2Test extends SlurmSessionsContract {
  SlurmSessionsOnV2Test() {
    super(SlurmRig.Kind.V2_26_05);
  }
}
