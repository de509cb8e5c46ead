package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.TreeConfig.Choice;

class NativeJobsOnV2Test extends NativeJobsContract {
  NativeJobsOnV2Test() {
    super(Choice.V2);
  }
}
