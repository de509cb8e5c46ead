package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.JobId;
import dev.rollcall.port.SessionPlace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SlurmSessionsOnV1Test extends SlurmSessionsContract {
  SlurmSessionsOnV1Test() {
    super(SlurmRig.Kind.V1_22_05);
  }

  /** As 26.05 has it: without that the first session would be in one hierarchy of two. */
  @Test
  void theFirstSessionFindsTheCgroupsThatTheDaemonMakesWithTheFirstProcess() {
    try (var rig = new SlurmRig(SlurmRig.Kind.V1_22_05)) {
      rig.makeTasksLater();
      rig.extern(42);
      JobId job = new JobId(42);
      SlurmRig.await("they are known", () -> rig.jobs().sessionPlace(job).isPresent());
      List<SessionPlace.Cgroup> found = rig.jobs().sessionPlace(job).orElseThrow().cgroups();
      assertEquals(
          List.of("step_extern", "task_0"),
          found.stream().map(it -> it.directory().getFileName().toString()).toList());
      assertEquals(
          List.of("freezer", "memory"),
          found.stream().map(SessionPlace.Cgroup::hierarchy).toList());
      SlurmRig.await("nothing is left in it", () -> rig.jobs().processes(job).isEmpty());
      assertEquals(Optional.empty(), rig.jobs().trouble());
    }
  }
}
