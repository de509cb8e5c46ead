package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SlurmLayoutTest {
  private static Placement placement(RecordedLayout recorded) {
    return SlurmLayout.of(recorded.daemon(), recorded.step(), recorded.uid());
  }

  @ParameterizedTest
  @MethodSource("dev.rollcall.jobs.slurm.RecordedLayout#all")
  void isRecognisedOrSaidToBeUnknown(RecordedLayout recorded) {
    String[] expected = recorded.one("expect").split(" ", -1);
    switch (expected[0]) {
      case "placed" -> {
        var placed = assertInstanceOf(Placement.Placed.class, placement(recorded));
        assertEquals(expected[1], placed.hierarchy().isEmpty() ? "v2" : placed.hierarchy());
        assertEquals(expected[2], placed.job());
      }
      case "waiting" -> assertEquals(new Placement.Waiting(), placement(recorded));
      default -> {
        var unknown = assertInstanceOf(Placement.Unknown.class, placement(recorded));
        String path = recorded.daemon().paths().values().iterator().next();
        assertTrue(unknown.reason().contains(path), unknown.reason());
        assertTrue(unknown.reason().contains(recorded.step().toString()), unknown.reason());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.rollcall.jobs.slurm.RecordedLayout#all")
  void tellsTheStepOfEveryProcess(RecordedLayout recorded, @TempDir Path mount) throws IOException {
    if (placement(recorded) instanceof Placement.Placed place) {
      SlurmCgroups cgroups = learned(recorded, place, mount);
      for (String process : recorded.of("process")) {
        String[] words = process.split(" ", -1);
        Optional<JobStep> expected =
            words[1].equals("none") ? Optional.empty() : Optional.of(RecordedLayout.step(words[1]));
        var its = new ProcessCgroups(Map.of(place.hierarchy(), words[0]));
        assertEquals(expected, cgroups.stepOf(its), process);
      }
    } else {
      assertEquals(List.of(), recorded.of("process"));
    }
  }

  private static SlurmCgroups learned(RecordedLayout recorded, Placement.Placed place, Path mount)
      throws IOException {
    for (String directory : recorded.of("directory")) {
      Files.createDirectories(mount.resolve(directory.substring(1)));
    }
    String type = place.hierarchy().isEmpty() ? "cgroup2 none rw" : "cgroup none rw,";
    // One that shows a part that does not matter; one that shows it all; and one that shows it all
    // to
    // programs in a chroot.
    CgroupMounts mounts =
        CgroupMounts.parse(
            List.of(
                "30 1 0:1 /../.. /part rw - %s%s".formatted(type, place.hierarchy()),
                "31 1 0:1 / %s rw - %s%s".formatted(mount, type, place.hierarchy()),
                "32 1 0:1 / /chroot rw - %s%s".formatted(type, place.hierarchy())));
    SlurmCgroups cgroups = new SlurmCgroups(mounts);
    cgroups.learn(recorded.step().job(), place);
    return cgroups;
  }

  @Test
  void aJobThatWasForgottenIsNowhere(@TempDir Path mount) throws IOException {
    RecordedLayout recorded =
        RecordedLayout.all().filter(it -> it.name().equals("v2")).findFirst().orElseThrow();
    var place = (Placement.Placed) placement(recorded);
    SlurmCgroups cgroups = learned(recorded, place, mount);
    JobId job = recorded.step().job();
    assertTrue(cgroups.exists(job));
    cgroups.forget(job);
    assertEquals(Optional.empty(), cgroups.stepOf(new ProcessCgroups(Map.of("", place.users()))));
    assertEquals(Optional.empty(), cgroups.place(job));
  }

  @Test
  void theCgroupOfAJobIsKnownByItsNumberAlone() {
    JobId job = new JobId(42);
    assertTrue(SlurmLayout.isJob(true, "/system.slice/slurmstepd.scope/job_42", job));
    assertTrue(SlurmLayout.isJob(true, "/system.slice/n1_slurmstepd.scope/job_42", job));
    assertTrue(SlurmLayout.isJob(false, "/slurm/uid_1001/job_42", job));
    assertTrue(SlurmLayout.isJob(false, "/docker/a/slurm_n1/uid_1001/job_42", job));
    assertFalse(SlurmLayout.isJob(true, "/system.slice/slurmstepd.scope/job_421", job));
    assertFalse(SlurmLayout.isJob(true, "/user.slice/user-1001.slice/job_42", job));
    assertFalse(SlurmLayout.isJob(true, "/system.slice/slurmstepd.scope/job_42/step_0", job));
    assertFalse(SlurmLayout.isJob(false, "/slurm/uid_1001/job_42/step_0", job));
    assertFalse(SlurmLayout.isJob(true, "/slurm/uid_1001/job_42", job));
  }
}
