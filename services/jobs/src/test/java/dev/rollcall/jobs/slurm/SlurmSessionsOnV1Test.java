package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.nio.file.Path;
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

  /** systemd does that when it begins a session of logind. */
  @Test
  void aSessionThatLeftAnotherHierarchyIsMovedIntoItAgain() throws IOException {
    try (var rig = new SlurmRig(SlurmRig.Kind.V1_22_05)) {
      rig.extern(42);
      Pidfd process = rig.sleeper();
      int pid = process.ref().pid();
      var adopted = rig.adopt(process, new JobId(42));
      ProcessCgroups before = rig.cgroups(pid);
      Path memory = CgroupMounts.read(Path.of("/proc")).v1("memory").orElseThrow().point();
      new CgroupDirectory(memory).add(pid);
      assertNotEquals(before.in("memory"), rig.cgroups(pid).in("memory"));

      assertEquals(adopted, rig.adopt(process, new JobId(42)));
      assertEquals(before.in("memory"), rig.cgroups(pid).in("memory"));
      assertEquals(before.in("freezer"), rig.cgroups(pid).in("freezer"));
    }
  }
}
