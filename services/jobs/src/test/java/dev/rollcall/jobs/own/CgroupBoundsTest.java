package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.JobId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many cgroups a job may have, and how deep: users make them where they are delegated. */
@Tag("root")
class CgroupBoundsTest {
  private static final JobId JOB = new JobId(42);

  private static String bounds(Rig rig) throws IOException {
    CgroupDirectory job = rig.job(42);
    return job.read("cgroup.max.descendants") + " " + job.read("cgroup.max.depth");
  }

  @Test
  void theCgroupsOfAJobAreBoundedAlsoIfAnEarlierAgentBeganIt() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(42);
      assertEquals("4096 16", bounds(rig));
      rig.job(42).write("cgroup.max.descendants", "max");
      rig.job(42).write("cgroup.max.depth", "max");
      rig.reopen(Rig.BOOT);
      assertEquals("4096 16", bounds(rig));
    }
  }

  /** With names as long as the kernel takes, at the deepest level. */
  @Test
  void noPathOfAJobsCgroupsIsTooLong() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(42);
      rig.adopt(rig.sleeper(), JOB);
      CgroupDirectory deep = rig.job(42).child("step_extern").child("user").child("session_1");
      for (int level = 0; level < 13; level++) {
        deep = deep.child("d".repeat(255));
        deep.create();
      }
      assertTrue(deep.has("cgroup.procs"));
      CgroupDirectory deeper = deep.child("d");
      assertThrows(IOException.class, deeper::create);
    }
  }

  @Test
  void aSessionThatAFullJobCannotTakeIsToldTheBound() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(42);
      rig.job(42).write("cgroup.max.descendants", "2");
      var failed = assertInstanceOf(AdoptResult.Failed.class, rig.adopt(rig.sleeper(), JOB));
      assertEquals(
          "adopt into job 42: no cgroup can be made: %s has 2 cgroups, the most that its cgroup.max.descendants allows"
              .formatted(rig.job(42)),
          failed.reason());
      var step = rig.jobs().beginStep(JOB, Optional.empty(), Limits.NONE, DeviceRules.OPEN);
      assertTrue(step.toString().contains(" has 2 cgroups, the most"), step::toString);
    }
  }

  @Test
  void aJobThatDoesNotFitIsToldWhichCgroupIsFull() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      var scope = new CgroupDirectory(Objects.requireNonNull(rig.job(42).path().getParent()));
      scope.write("cgroup.max.descendants", "0");
      assertEquals(
          "", began(rig, scope + " has 0 cgroups, the most that its cgroup.max.descendants"));
      scope.write("cgroup.max.descendants", "max");
      scope.write("cgroup.max.depth", "1");
      assertEquals("", began(rig, scope + " may have 1 levels of cgroups (its cgroup.max.depth)"));
    }
  }

  /** Empty if beginning a job says so. */
  private static String began(Rig rig, String expected) {
    String refused =
        rig.jobs().begin(new JobSpec(JOB, Rig.ALICE, Rig.ALICE, Instant.now())).toString();
    return refused.contains("no cgroup can be made: " + expected) ? "" : refused;
  }
}
