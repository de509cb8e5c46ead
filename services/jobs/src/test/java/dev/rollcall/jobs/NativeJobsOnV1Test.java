package dev.rollcall.jobs;

import dev.rollcall.jobs.tree.TreeConfig.Choice;

class NativeJobsOnV1Test extends NativeJobsContract {
  NativeJobsOnV1Test() {
    super(Choice.V1);
  }
}
