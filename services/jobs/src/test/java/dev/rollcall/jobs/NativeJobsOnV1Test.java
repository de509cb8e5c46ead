package dev.rollcall.jobs;

import dev.rollcall.jobs.NativeJobsConfig.Choice;

class NativeJobsOnV1Test extends NativeJobsContract {
  NativeJobsOnV1Test() {
    super(Choice.V1);
  }
}
