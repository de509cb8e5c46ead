package dev.rollcall.linux.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Xattr;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.systemd.ScopeSettings.OnFailure;
import dev.rollcall.linux.systemd.ScopeSettings.Use;
import dev.rollcall.linux.systemd.UnitBus.NewScope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("root")
class JobScopeTest {
  /** Of this process: a cluster beside it has keepers of its own. */
  private static final String NAME = "rollcall-%d.scope".formatted(ProcessHandle.current().pid());

  private static final SliceName SLICE = new SliceName("batch-jobs.slice");

  private final ScopeRig rig = new ScopeRig();

  @AfterEach
  void close() throws Exception {
    rig.close();
  }

  private static ScopeSettings settings(Use use, OnFailure onFailure) {
    return new ScopeSettings(use, onFailure, Optional.of(SLICE), Duration.ofMillis(500));
  }

  private JobScope open(Use use, OnFailure onFailure, UnitBus.Opener bus) throws IOException {
    return JobScope.open(settings(use, onFailure), NAME, rig.mount(), ScopeRig.PROC, bus);
  }

  private JobScope open() throws IOException {
    return open(Use.ON, OnFailure.FAIL, rig.bus()::open);
  }

  private CgroupDirectory expected() {
    return rig.top().child("batch.slice").child("batch-jobs.slice").child(NAME);
  }

  private static List<Integer> pids(CgroupDirectory directory) {
    try {
      return directory.pids();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Processes marked as a keeper that are in no cgroup of the rig. */
  private static List<Integer> keepersOutside() throws IOException {
    try (var all = Files.list(Path.of("/proc"))) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> name.matches("[0-9]+"))
          .map(Integer::valueOf)
          .filter(pid -> Keeper.is(ScopeRig.PROC, pid, NAME))
          .filter(pid -> ScopeRig.PROC.ref(pid).filter(ScopeRig.PROC::runs).isPresent())
          .toList();
    }
  }

  @Test
  void aScopeIsMadeAndItsKeeperIsInALeaf() throws IOException {
    try (JobScope scope = open()) {
      assertEquals(expected(), scope.directory());
      assertEquals(List.of(), pids(scope.directory()));
      int keeper = scope.keeper().orElseThrow().pid();
      assertEquals(List.of(keeper), pids(scope.directory().child("keeper")));
      assertEquals(mayLowerScores() ? -999 : score("self"), score(Integer.toString(keeper)));
      assertEquals(1, ScopeRig.PROC.stat(keeper).orElseThrow().parent());
    }
    assertEquals(rig.bus().opened(), rig.bus().closed());
  }

  private static int score(String process) throws IOException {
    return Integer.parseInt(Files.readString(Path.of("/proc", process, "oom_score_adj")).strip());
  }

  /** CAP_SYS_RESOURCE, which some containers leave out. */
  private static boolean mayLowerScores() throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(text -> text.startsWith("CapEff:"))
            .findFirst()
            .orElseThrow();
    return (Long.parseUnsignedLong(line.substring("CapEff:".length()).strip(), 16) >> 24 & 1) == 1;
  }

  @Test
  void theNextAgentFindsScopeAndKeeperWithoutAskingSystemd() throws IOException {
    int keeper;
    try (JobScope scope = open()) {
      keeper = scope.keeper().orElseThrow().pid();
    }
    CgroupDirectory job = expected().child("job_7");
    job.create();

    try (JobScope scope = open()) {
      assertEquals(keeper, scope.keeper().orElseThrow().pid());
      assertTrue(job.exists());
    }
    assertEquals(1, rig.bus().opened());
  }

  @Test
  void aKeeperThatDiesIsReplacedWhileJobsLive() throws IOException {
    try (JobScope scope = open()) {
      CgroupDirectory job = scope.directory().child("job_7");
      job.create();
      job.add(rig.process());
      int first = scope.keeper().orElseThrow().pid();

      ScopeRig.kill(first);

      ScopeRig.await("another keeper", () -> scope.keeper().orElseThrow().pid() != first);
      int second = scope.keeper().orElseThrow().pid();
      assertEquals(List.of(second), pids(scope.directory().child("keeper")));
      assertEquals(List.of(), pids(scope.directory()));
    }
  }

  @Test
  void anAgentThatFindsNoKeeperPutsOneIn() throws IOException {
    open().close();
    ScopeRig.kill(pids(expected().child("keeper")).getFirst());
    CgroupDirectory job = expected().child("job_7");
    job.create();
    job.add(rig.process());
    ScopeRig.await("the keeper is gone", () -> pids(expected().child("keeper")).isEmpty());

    try (JobScope scope = open()) {
      assertEquals(List.of(scope.keeper().orElseThrow().pid()), pids(expected().child("keeper")));
    }
    assertEquals(1, rig.bus().opened());
  }

  @Test
  void anAgentThatDiedBeforeItMovedTheKeeperIsPickedUp() throws Exception {
    var keeper = Keeper.start(ScopeRig.PROC, NAME);
    rig.bus().start(new NewScope(NAME, SLICE, keeper.pid()));
    rig.bus().finish();

    try (JobScope scope = open()) {
      assertEquals(keeper, scope.keeper().orElseThrow());
      assertEquals(List.of(keeper.pid()), pids(expected().child("keeper")));
      assertEquals(List.of(), pids(expected()));
    }
  }

  @Test
  void aScopeInAnotherSliceIsUsedWhereItIs() throws IOException {
    CgroupDirectory there = rig.top().child("system.slice").child(NAME);
    JobScope.open(
            new ScopeSettings(
                Use.ON, OnFailure.FAIL, Optional.of(SliceName.SYSTEM), Duration.ofMillis(500)),
            NAME,
            rig.mount(),
            ScopeRig.PROC,
            rig.bus()::open)
        .close();

    try (JobScope scope = open()) {
      assertEquals(there, scope.directory());
      assertEquals(List.of(scope.keeper().orElseThrow().pid()), pids(there.child("keeper")));
      assertFalse(expected().exists());
    }
  }

  @Test
  void aScopeThatFailedBeforeIsForgottenAndMade() throws IOException {
    rig.bus().fail(NAME);

    try (JobScope scope = open()) {
      assertTrue(scope.keeper().isPresent());
    }
  }

  @Test
  void aScopeOfSomebodyElseIsRefusedAlsoWhereItMayGoWithout() throws Exception {
    rig.bus().start(new NewScope(NAME, SLICE, rig.process()));
    rig.bus().finish();

    for (OnFailure onFailure : OnFailure.values()) {
      var e = assertThrows(ScopeException.class, () -> open(Use.ON, onFailure, rig.bus()::open));
      assertTrue(e.toString().contains("not to Rollcall"), e.toString());
    }
    assertEquals(List.of(), keepersOutside());
  }

  @Test
  void aScopeThatDoesNotComeIsAnErrorThatSaysWhatToDo() throws IOException {
    rig.bus().doNothing();

    var e = assertThrows(ScopeException.class, this::open);

    assertTrue(e.toString().contains("within 500 ms"), e.toString());
    assertTrue(e.toString().contains("systemctl reset-failed " + NAME), e.toString());
    assertFalse(expected().exists());
    ScopeRig.await("no keeper", JobScopeTest::noKeeper);
  }

  private static boolean noKeeper() {
    try {
      return keepersOutside().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void onFailureTheDirectoryIsMadeWithoutSystemdAndSystemdTakesItLater() throws IOException {
    UnitBus.Opener none =
        _ -> {
          throw new IOException("there is no D-Bus socket /nowhere");
        };
    try (JobScope scope = open(Use.ON, OnFailure.WITHOUT, none)) {
      assertEquals(expected(), scope.directory());
      assertTrue(expected().exists());
      assertEquals(Optional.empty(), scope.keeper());
    }
    ScopeRig.await("no keeper", JobScopeTest::noKeeper);

    try (JobScope scope = open()) {
      assertEquals(Optional.of("1"), Xattr.get(scope.directory().path(), "trusted.delegate"));
      assertTrue(scope.keeper().isPresent());
    }
  }

  @Test
  void jobsThatWereBegunWithoutSystemdStay() throws IOException {
    open(Use.OFF, OnFailure.FAIL, rig.bus()::open).close();
    CgroupDirectory job = expected().child("job_7");
    job.create();
    int process = rig.process();
    job.add(process);

    try (JobScope scope = open()) {
      assertEquals(expected(), scope.directory());
      assertEquals(List.of(process), pids(job));
    }
    assertEquals(0, rig.bus().opened());
  }

  @Test
  void withoutSystemdItIsNotAsked() throws IOException {
    try (JobScope scope = open(Use.OFF, OnFailure.FAIL, rig.bus()::open)) {
      assertTrue(scope.directory().exists());
      assertEquals(Optional.empty(), scope.keeper());
    }
    assertEquals(0, rig.bus().opened());
    assertNotEquals(Optional.of("1"), Xattr.get(expected().path(), "trusted.delegate"));
  }
}
