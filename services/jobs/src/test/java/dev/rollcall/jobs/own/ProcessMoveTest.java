package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.linux.systemd.ScopeName;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership.InJob;
import dev.rollcall.model.Membership.NoJob;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way into a job, on this machine's kernel. */
@Tag("root")
class ProcessMoveTest {
  private static final JobId JOB = new JobId(42);
  private static final JobStep EXTERN = new JobStep(JOB, StepId.EXTERN);

  /** A pin that says it lives as often as it is told to. */
  private record Claimed(ProcessRef ref, AtomicInteger livesFor) implements PinnedProcess {
    @Override
    public boolean alive() {
      return livesFor.getAndDecrement() > 0;
    }

    @Override
    public void close() {}
  }

  private static List<CgroupDirectory> sessions(Rig rig) throws IOException {
    return rig.job(42).child("step_extern").child("user").children();
  }

  @OnEachHierarchy
  void theAnswerIsWhatProcShowsInEveryHierarchy(Choice choice) {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      Adopted adopted = assertInstanceOf(Adopted.class, rig.adopt(process, JOB));
      String expected =
          "/"
              + rig.roots.getFirst().path().getFileName()
              + "/rollcall.scope/job_42/step_extern/user/session_1";
      assertEquals(EXTERN, adopted.step());
      assertEquals(choice == Choice.V2 ? "" : "freezer", adopted.hierarchy());
      assertEquals(expected, adopted.cgroup());
      ProcessCgroups shown = Rig.PROC.cgroups(process.ref().pid()).orElseThrow();
      List<String> hierarchies =
          choice == Choice.V2 ? List.of("") : List.of("freezer", "memory", "cpuacct", "pids");
      for (String hierarchy : hierarchies) {
        assertEquals(Optional.of(expected), shown.in(hierarchy), hierarchy);
      }
    }
  }

  @OnEachHierarchy
  void aPidThatIsAnotherProcessNowIsRefusedAndLeftAlone(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      ProcessRef earlier = new ProcessRef(process.ref().pid(), process.ref().startTime() - 1);
      AdoptResult result =
          rig.adopt(new Claimed(earlier, new AtomicInteger(Integer.MAX_VALUE)), JOB);
      assertInstanceOf(AdoptResult.Failed.class, result);
      assertEquals(Optional.of(new NoJob()), rig.jobs().membershipOf(process.ref()));
      assertEquals(List.of(), sessions(rig));
    }
  }

  @OnEachHierarchy
  void aPidThatIsReusedDuringTheMoveIsPutBackBesideItsParent(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      ProcessCgroups before = Rig.PROC.cgroups(process.ref().pid()).orElseThrow();
      // Alive when it is looked at before the move, ended when it is after.
      AdoptResult result = rig.adopt(new Claimed(process.ref(), new AtomicInteger(1)), JOB);
      assertInstanceOf(AdoptResult.Failed.class, result);
      assertEquals(before, Rig.PROC.cgroups(process.ref().pid()).orElseThrow());
      assertTrue(process.alive());
      assertEquals(List.of(), sessions(rig));
    }
  }

  /** A write that did not fail is no proof: what the kernel shows afterwards is. */
  @Test
  void aProcessThatIsShownElsewhereAfterTheMoveIsPutBack(@TempDir Path proc) throws IOException {
    CgroupMount mount = CgroupMounts.read(Path.of("/proc")).v2().orElseThrow();
    try (Rig rig = new Rig(Choice.V2)) {
      String name = rig.roots.getFirst().path().getFileName().toString();
      Hierarchy only = new Hierarchy("", mount, rig.roots.getFirst().child("s"));
      JobTree tree = new JobTree(List.of(only), new JobPath("/" + name + "/s"), false);
      only.leaf(EXTERN, "session_1").create();
      Pidfd process = rig.sleeper();
      ProcessCgroups before = Rig.PROC.cgroups(process.ref()).orElseThrow();
      Path shown = Files.createDirectory(proc.resolve(Integer.toString(process.ref().pid())));
      Files.writeString(shown.resolve("cgroup"), "0::/elsewhere\n");
      AdoptResult.Failed failed =
          assertInstanceOf(
              AdoptResult.Failed.class,
              new ProcessMove(tree, new Proc(proc), process, EXTERN, "session_1").run(before));
      assertEquals(
          "/proc/%d/cgroup has /elsewhere in v2, not %s"
              .formatted(process.ref().pid(), only.pathOf(only.leaf(EXTERN, "session_1"))),
          failed.reason());
      assertEquals(before, Rig.PROC.cgroups(process.ref()).orElseThrow());
    }
  }

  @Test
  @Tag("v1")
  void aRefusalOfTheSecondHierarchyUndoesTheFirstAndSaysWhy() throws IOException {
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
    CgroupMount freezer = mounts.v1("freezer").orElseThrow();
    // A v1 cpuset without CPUs takes no process: ENOSPC, cpuset(7).
    CgroupMount cpuset = mounts.v1("cpuset").orElseThrow();
    try (Rig rig = new Rig(Choice.V1)) {
      String name = rig.roots.getFirst().path().getFileName().toString();
      CgroupDirectory there = new CgroupDirectory(cpuset.point().resolve(name));
      Hierarchy first = new Hierarchy("freezer", freezer, rig.roots.getFirst().child("s"));
      Hierarchy second = new Hierarchy("cpuset", cpuset, there.child("s"));
      JobTree tree = new JobTree(List.of(first, second), new JobPath("/" + name + "/s"), false);
      first.leaf(EXTERN, "session_1").create();
      second.leaf(EXTERN, "session_1").create();
      Pidfd process = rig.sleeper();
      Proc procfs = Rig.PROC;
      ProcessCgroups before = procfs.cgroups(process.ref()).orElseThrow();
      AdoptResult.Failed failed =
          assertInstanceOf(
              AdoptResult.Failed.class,
              new ProcessMove(tree, procfs, process, EXTERN, "session_1").run(before));
      assertEquals(
          "write %d to %s: ENOSPC (No space left on device)"
              .formatted(process.ref().pid(), second.leaf(EXTERN, "session_1").procsFile()),
          failed.reason());
      assertEquals(before, procfs.cgroups(process.ref()).orElseThrow());
    }
  }

  @Test
  @Tag("v1")
  void aProcessThatAnEarlierAgentMovedInTheFirstHierarchyOnlyIsMovedInTheOthers()
      throws IOException {
    try (Rig rig = new Rig(Choice.V1)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      CgroupDirectory leaf = rig.job(42).child("step_extern").child("user").child("session_7");
      leaf.create();
      leaf.add(process.ref().pid());
      Adopted adopted = assertInstanceOf(Adopted.class, rig.adopt(process, JOB));
      assertTrue(adopted.cgroup().endsWith("/session_7"), adopted.cgroup());
      assertEquals(
          Optional.of(adopted.cgroup()),
          Rig.PROC.cgroups(process.ref()).orElseThrow().in("memory"));
    }
  }

  @OnEachHierarchy
  void aLookAlikeInAUsersDelegatedCgroupIsNeverAJob(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      CgroupDirectory fake =
          rig.roots
              .getFirst()
              .child("user.slice")
              .child(ScopeName.ONLY.text())
              .child("job_42")
              .child("step_extern")
              .child("user")
              .child("session_1");
      fake.create();
      fake.add(process.ref().pid());
      assertEquals(Optional.of(new NoJob()), rig.jobs().membershipOf(process.ref()));
      assertEquals(
          Optional.of(new NoJob()), rig.jobs().membershipOf(rig.cgroupsOf(process.ref().pid())));
      assertEquals(List.of(), rig.jobs().processes(JOB));
    }
  }

  @OnEachHierarchy
  void aJobNestedBelowAnotherJobsLeafIsTheOtherJobs(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      rig.begin(43);
      Pidfd process = rig.sleeper();
      rig.adopt(process, JOB);
      CgroupDirectory nested =
          rig.job(42)
              .child("step_extern")
              .child("user")
              .child("session_1")
              .child("job_43")
              .child("step_0")
              .child("user");
      nested.create();
      nested.add(process.ref().pid());
      assertEquals(Optional.of(new InJob(EXTERN)), rig.jobs().membershipOf(process.ref()));
      assertEquals(
          Optional.of(new InJob(EXTERN)),
          rig.jobs().membershipOf(rig.cgroupsOf(process.ref().pid())));
      assertEquals(List.of(), rig.jobs().processes(new JobId(43)));
    }
  }

  private static int numberOfSessions(Rig rig) {
    try {
      return sessions(rig).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @OnEachHierarchy
  void sessionsLeaveNothingAndHaveNumbersOfTheirOwn(Choice choice) throws IOException {
    int sessions = Counts.of("sessions of a job, one after the other", 200, 1_000);
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Set<String> cgroups = new HashSet<>();
      for (int each = 0; each < sessions; each++) {
        Process process = rig.run("sleep", "600");
        try (Pidfd pinned = Rig.pin(process)) {
          cgroups.add(assertInstanceOf(Adopted.class, rig.adopt(pinned, JOB)).cgroup());
          rig.finish(pinned);
        }
        Rig.await("reaped as they come", () -> numberOfSessions(rig) < 30);
      }
      assertEquals(sessions, cgroups.size());
      assertEquals(List.of(), rig.jobs().processes(JOB));
      rig.jobs().reap();
      assertEquals(List.of(), sessions(rig));
      long lines;
      try (var all = Files.lines(rig.state.resolve(JobJournal.FILE))) {
        lines = all.count();
      }
      assertTrue(lines < 20, "journal lines: " + lines);
      assertEquals(1, rig.jobs().list().size());
    }
  }

  @OnEachHierarchy
  void theLeafOfASessionGoesWhenItIsEmptyAndOnlyThen(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd first = rig.sleeper();
      Pidfd second = rig.sleeper();
      rig.adopt(first, JOB);
      rig.adopt(second, JOB);
      rig.finish(first);
      rig.jobs().reap();
      assertEquals(
          List.of("session_2"),
          sessions(rig).stream().map(each -> each.path().getFileName().toString()).toList());
      assertTrue(second.alive());
      assertFalse(first.alive());
      Pidfd third = rig.sleeper();
      assertNotEquals(rig.adopt(second, JOB), rig.adopt(third, JOB));
    }
  }
}
