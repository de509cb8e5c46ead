package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import org.junit.jupiter.api.Tag;

@Tag("v1")
class NativeJobsOnV1Test extends NativeJobsContract {
  NativeJobsOnV1Test() {
    super(Choice.V1);
  }
}
