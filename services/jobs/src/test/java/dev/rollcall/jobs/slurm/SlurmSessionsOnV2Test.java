package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.JobId;
import dev.rollcall.port.SessionPlace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SlurmSessionsOnV2Test extends SlurmSessionsContract {
  SlurmSessionsOnV2Test() {
    super(SlurmRig.Kind.V2_26_05);
  }

  /** As 26.05 has it: without that no login could be decided by files before the first session. */
  @Test
  void theFirstSessionFindsTheCgroupThatTheDaemonMakesWithTheFirstProcess() {
    try (var rig = new SlurmRig(SlurmRig.Kind.V2_26_05)) {
      rig.makeTasksLater();
      rig.extern(42);
      JobId job = new JobId(42);
      SlurmRig.await("it is known", () -> rig.jobs().sessionPlace(job).isPresent());
      List<SessionPlace.Cgroup> found = rig.jobs().sessionPlace(job).orElseThrow().cgroups();
      assertEquals(
          List.of("task_special"),
          found.stream().map(it -> it.directory().getFileName().toString()).toList());
      SlurmRig.await("nothing is left in it", () -> rig.jobs().processes(job).isEmpty());
      assertEquals(Optional.empty(), rig.jobs().trouble());
    }
  }
}
