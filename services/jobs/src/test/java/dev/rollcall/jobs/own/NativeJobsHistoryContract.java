package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.testkit.history.Rounds;
import dev.rollcall.testkit.jobs.JobsHistoryContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** Real cgroups, and real processes that are adopted and killed. */
@Tag("root")
@Tag("host")
abstract class NativeJobsHistoryContract extends JobsHistoryContract {
  private final Rig rig;

  NativeJobsHistoryContract(Choice choice) {
    rig = new Rig(choice);
  }

  @AfterEach
  void leaveNothing() {
    rig.close();
  }

  @Override
  protected Jobs jobs() {
    return rig.jobs();
  }

  @Override
  protected PinnedProcess start() {
    return rig.sleeper();
  }

  @Override
  protected void finish(PinnedProcess process) {
    rig.finish(process);
  }

  @Override
  protected Rounds rounds() {
    return Rounds.of(100, 3_000, 3, 5);
  }
}
