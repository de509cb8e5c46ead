package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.TreeConfig.Choice;

class NativeJobsHistoryOnV2Test extends NativeJobsHistoryContract {
  NativeJobsHistoryOnV2Test() {
    super(Choice.V2);
  }
}
