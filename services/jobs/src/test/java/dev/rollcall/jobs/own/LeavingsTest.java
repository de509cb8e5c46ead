package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.StepResult;
import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** Many jobs, begun and ended: nothing of the kernel's or of this process's is kept. */
@Tag("root")
class LeavingsTest {
  private static final int JOBS = Counts.of(48, 1_000);

  private static final DeviceRules NO_GPU =
      new DeviceRules(DeviceRules.Kind.DENY_LIST, List.of(DeviceRule.parse("c 195:* rw")));

  /**
   * Our directories and descriptors. A BPF program has one of them, or is attached to one: the
   * kernel frees those that nothing refers to.
   */
  private record Holdings(List<Path> directories, long descriptors) {
    static Holdings of(Rig rig) throws IOException {
      List<Path> directories = new ArrayList<>();
      for (CgroupDirectory root : rig.roots) {
        root.tree().forEach(each -> directories.add(each.path()));
      }
      try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
        return new Holdings(directories, descriptors.count());
      }
    }

    /** The same again, a moment later. */
    static Holdings settled(Rig rig, Holdings before) throws IOException {
      BoundedWait patience = BoundedWait.of(Rig.LONG);
      Holdings now = of(rig);
      while (!now.equals(before) && patience.pause()) {
        now = of(rig);
      }
      return now;
    }
  }

  @OnEachHierarchy
  void manyJobsLeaveNothing(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      round(rig, 1);
      round(rig, 2);
      Holdings before = Holdings.of(rig);
      for (int number = 3; number < 3 + JOBS; number++) {
        round(rig, number);
      }
      rig.jobs().reap();
      assertEquals(before, Holdings.settled(rig, before));
      assertEquals(List.of(), rig.jobs().list());
      System.out.printf(
          "%d jobs on %s leave %d directories, %d descriptors, as before%n",
          JOBS, choice, before.directories().size(), before.descriptors());
    }
  }

  /** Rules about devices, a session, a step, a suspension, and one of the ways to end. */
  private static void round(Rig rig, int number) throws Exception {
    JobId id = new JobId(number);
    var allocation = new Allocation(Limits.NONE, NO_GPU, Map.of(), List.of());
    var spec = new JobSpec(id, 1001, 1001, Instant.now(), allocation);
    assertInstanceOf(BeginResult.Begun.class, rig.jobs().begin(spec));
    Process process = rig.run("sleep", "600");
    try (Pidfd pinned = Rig.pin(process)) {
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(pinned, id));
    }
    assertInstanceOf(
        StepResult.Made.class, rig.jobs().beginStep(id, Optional.empty(), Limits.NONE, NO_GPU));
    if (number % 4 == 0) {
      rig.jobs().suspend(id);
    }
    Duration grace = Duration.ofSeconds(number % 2 == 0 ? 0 : 30);
    assertEquals(new EndResult.Clean(1), rig.jobs().end(id, new EndOrder("", grace, Rig.LONG)));
    process.waitFor();
    process.getOutputStream().close();
  }
}
