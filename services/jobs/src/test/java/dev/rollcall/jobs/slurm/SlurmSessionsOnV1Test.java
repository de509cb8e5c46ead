package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.SessionPlace;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
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
      rig.answerRelease(45);
      // An agent that is killed right after the job is open has written its file.
      List<SessionPlace> whenOpen = new CopyOnWriteArrayList<>();
      rig.jobs()
          .listen(told -> {
            if (told.state() == JobState.OPEN) {
              whenOpen.add(rig.jobs().sessionPlace(told.id()).orElseThrow());
            }
          });
      rig.extern(42);
      JobId job = new JobId(42);
      SlurmRig.await("it is open", () -> !whenOpen.isEmpty());
      List<SessionPlace.Cgroup> found = whenOpen.getFirst().cgroups();
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
