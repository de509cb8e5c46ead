package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.testkit.log.LoggedLines;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
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
          List.of("task_special"),
          found.stream().map(it -> it.directory().getFileName().toString()).toList());
      SlurmRig.await("nothing is left in it", () -> rig.jobs().processes(job).isEmpty());
      assertEquals(Optional.empty(), rig.jobs().trouble());
    }
  }

  /** The layout of its cgroups may be another one: only the daemon is asked. */
  @Test
  void sessionsOfAnUnknownReleaseEnterByTheDaemonAndTheLogNamesItOnce() {
    try (var logged = LoggedLines.of(SlurmSessions.class.getName());
        var rig = new SlurmRig(SlurmRig.Kind.V2_26_05)) {
      rig.answerRelease(46);
      for (long number : List.of(42L, 43L)) {
        rig.extern(number);
        var adopted = rig.adopt(rig.sleeper(), new JobId(number));
        assertInstanceOf(AdoptResult.Adopted.class, adopted);
        assertEquals(Optional.empty(), rig.jobs().sessionPlace(new JobId(number)));
      }
      SlurmRig.await("the log names it", () -> !logged.lines().isEmpty());
      assertEquals(
          List.of(
              "step daemons answer protocol version 46.0; known are 38.0 (Slurm 22.05) to 45.0"
                  + " (26.05): no login into their jobs is decided by files, each asks the agent"
                  + " and the daemon"),
          logged.lines());
    }
  }
}
