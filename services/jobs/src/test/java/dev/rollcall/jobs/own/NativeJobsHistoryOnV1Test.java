package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import org.junit.jupiter.api.Tag;

@Tag("v1")
class NativeJobsHistoryOnV1Test extends NativeJobsHistoryContract {
  NativeJobsHistoryOnV1Test() {
    super(Choice.V1);
  }
}
