package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.StateResult;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job that has all the processes that it may have. */
@Tag("root")
@Tag("v1")
class FullPidsTest {
  private static final JobId JOB = new JobId(42);

  private static void adopt(Rig rig, Process process) {
    try (Pidfd pinned = Rig.pin(process)) {
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(pinned, JOB));
    }
  }

  @Test
  void sessionsStillComeInAndTheJobIsSuspendedAndEnded() throws IOException {
    try (Rig rig = new Rig(Choice.V1)) {
      rig.begin(42);
      rig.directories(42).stream()
          .filter(each -> each.has("pids.max"))
          .findFirst()
          .orElseThrow()
          .write("pids.max", "1");
      adopt(rig, rig.run("sleep", "600"));
      // The kernel refuses forks beyond the limit, and no move.
      adopt(rig, rig.run("sleep", "600"));
      assertInstanceOf(StateResult.Reached.class, rig.jobs().suspend(JOB));
      assertInstanceOf(StateResult.Reached.class, rig.jobs().resume(JOB));
      EndOrder order = new EndOrder("the job ends", Duration.ofSeconds(1), Rig.LONG);
      assertEquals(new EndResult.Clean(2), rig.jobs().end(JOB, order));
    }
  }
}
