package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way to kill, on real cgroups, whether or not this kernel has a better one. */
@Tag("root")
class CgroupKillTest {
  private static final Proc PROC = new Proc(Path.of("/proc"));
  private static final Duration LONG = Duration.ofSeconds(20);

  /** PATH_MAX of Linux without the zero at its end. */
  private static final int LONGEST_PATH = 4_095;

  private static final CgroupKill.Signal SIGKILL = CgroupKillTest::sigkill;

  private CgroupDirectory top = new CgroupDirectory(Path.of("/nowhere"));

  private static void sigkill(int pid, CgroupDirectory in) throws IOException {
    Optional<Pidfd> pinned = Pidfd.open(PROC, pid);
    if (pinned.isPresent()) {
      try (Pidfd process = pinned.get()) {
        process.signal(9);
      }
    }
  }

  private void make(CgroupKill way) throws IOException {
    CgroupMounts mounts = CgroupMounts.read(PROC.root());
    CgroupMount mount =
        switch (way) {
          case AT_ONCE, FROZEN_V2 -> mounts.v2().orElseThrow();
          case FROZEN_V1 -> mounts.v1("freezer").orElseThrow();
          case EACH -> mounts.v1("cpuacct").orElseThrow();
        };
    String name = "rollcall-jobs-test-kill-" + ProcessHandle.current().pid();
    top = new CgroupDirectory(mount.point().resolve(name));
    top.child("below").create();
  }

  @AfterEach
  void remove() throws IOException {
    BoundedWait patience = BoundedWait.of(LONG);
    while (!(CgroupRemoval.remove(top, patience.atMost(Duration.ofMillis(20)))
        instanceof CgroupRemoval.Outcome.Removed)) {
      CgroupKill.of(top).round(top, SIGKILL, patience);
      assertTrue(patience.pause(), "removed in time");
    }
  }

  @ParameterizedTest
  @EnumSource
  void allBelowIsKilledAlsoWhatIgnoresTermination(CgroupKill way) throws Exception {
    make(way);
    Process process =
        new ProcessBuilder("sh", "-c", "trap '' TERM; while :; do sleep 1; done").start();
    top.child("below").add((int) process.pid());
    List<Integer> seen = way.round(top, SIGKILL, BoundedWait.of(LONG));
    assertTrue(seen.contains((int) process.pid()));
    assertEquals(137, process.waitFor(), "128 + SIGKILL");
  }

  /** A byte that is no UTF-8, a letter that is no ASCII, a backslash. */
  @ParameterizedTest
  @CsvSource({
    "AT_ONCE, \\377",
    "FROZEN_V2, \\377",
    "FROZEN_V1, \\377",
    "EACH, \\377",
    "FROZEN_V1, \\303\\251",
    "EACH, \\134",
    "EACH, %%41"
  })
  void whatIsInACgroupWhoseNameIsNoTextIsSeenAndKilled(CgroupKill way, String name)
      throws Exception {
    make(way);
    CgroupDirectory odd = RawDirectory.make(top.child("below"), name);
    Process process = new ProcessBuilder("sleep", "600").start();
    odd.add((int) process.pid());
    assertEquals(List.of((int) process.pid()), odd.pids());
    assertEquals(List.of((int) process.pid()), way.round(top, SIGKILL, BoundedWait.of(LONG)));
    assertEquals(137, process.waitFor(), "128 + SIGKILL");
  }

  /** The kernel tells the processes of a threaded cgroup in the nearest one above that is not. */
  @ParameterizedTest
  @EnumSource(names = {"AT_ONCE", "FROZEN_V2"})
  void whatIsInAThreadedCgroupIsSeenAndKilled(CgroupKill way) throws Exception {
    make(way);
    CgroupDirectory threaded = top.child("below").child("threaded");
    threaded.create();
    threaded.write("cgroup.type", "threaded");
    Process process = new ProcessBuilder("sleep", "600").start();
    top.child("below").add((int) process.pid());
    threaded.write("cgroup.threads", Long.toString(process.pid()));
    assertTrue(top.isOccupied());
    assertEquals(List.of((int) process.pid()), way.round(top, SIGKILL, BoundedWait.of(LONG)));
    assertEquals(137, process.waitFor(), "128 + SIGKILL");
  }

  /** Its own path is not too long, but those of the kernel's files in it are. */
  @ParameterizedTest
  @EnumSource
  void aCgroupWhoseFilesHaveTooLongPathsDoesNotKeepTheOthersFromBeingKilled(CgroupKill way)
      throws Exception {
    make(way);
    CgroupDirectory deep = top.child("below");
    while (deep.toString().length() < LONGEST_PATH) {
      int left = LONGEST_PATH - deep.toString().length() - 1;
      deep = deep.child("d".repeat(left > 200 ? 100 : left));
    }
    deep.create();
    Process process = new ProcessBuilder("sleep", "600").start();
    top.child("below").add((int) process.pid());
    assertEquals(List.of((int) process.pid()), way.round(top, SIGKILL, BoundedWait.of(LONG)));
    assertEquals(137, process.waitFor(), "128 + SIGKILL");
    assertInstanceOf(
        CgroupRemoval.Outcome.Removed.class, CgroupRemoval.remove(top, BoundedWait.of(LONG)));
  }

  /** A directory cannot be read as a list. */
  @Test
  void theKernelKillsAllAlsoIfTheirListCannotBeRead(@TempDir Path directory) throws IOException {
    Files.createDirectory(directory.resolve("cgroup.procs"));
    Files.createFile(directory.resolve("cgroup.kill"));
    var unreadable = new CgroupDirectory(directory);
    assertThrows(
        IOException.class,
        () -> CgroupKill.AT_ONCE.round(unreadable, SIGKILL, BoundedWait.of(LONG)));
    assertEquals("1", unreadable.read("cgroup.kill"));
  }

  /** Nothing reaches a directory whose path is too long by that path; the others are reached. */
  @ParameterizedTest
  @EnumSource
  void aTreeDeeperThanPathsReachDoesNotKeepTheOthersFromBeingKilled(CgroupKill way)
      throws Exception {
    make(way);
    CgroupDirectory below = top.child("below");
    try {
      assertEquals(0, perl("for (1..25) { mkdir $n or die; chdir $n or die }", below));
      Process process = new ProcessBuilder("sleep", "600").start();
      below.add((int) process.pid());
      assertEquals(List.of((int) process.pid()), way.round(top, SIGKILL, BoundedWait.of(LONG)));
      assertEquals(137, process.waitFor(), "128 + SIGKILL");
    } finally {
      perl("chdir $n for 1..25; for (1..25) { chdir '..'; rmdir $n }", below);
    }
  }

  /** With each step from where it is: no path is longer than a name of 200 bytes. */
  private static int perl(String script, CgroupDirectory in) throws Exception {
    return new ProcessBuilder("perl", "-e", "chdir shift; $n = 'd' x 200; " + script, in.toString())
        .inheritIO()
        .start()
        .waitFor();
  }

  @ParameterizedTest
  @CsvSource({"AT_ONCE, AT_ONCE", "FROZEN_V1, FROZEN_V1", "EACH, EACH"})
  void theBestWayIsChosen(CgroupKill made, CgroupKill chosen) throws IOException {
    make(made);
    assertEquals(chosen, CgroupKill.of(top));
  }

  @ParameterizedTest
  @EnumSource
  void whatWasFrozenBeforeIsKilledToo(Freezer freezer) throws Exception {
    make(freezer == Freezer.V1 ? CgroupKill.FROZEN_V1 : CgroupKill.FROZEN_V2);
    Process process = new ProcessBuilder("sleep", "600").start();
    top.child("below").add((int) process.pid());
    assertTrue(freezer.freeze(top.child("below"), BoundedWait.of(LONG)));
    CgroupKill.of(top).round(top, SIGKILL, BoundedWait.of(LONG));
    assertEquals(137, process.waitFor());
    assertInstanceOf(
        CgroupRemoval.Outcome.Removed.class, CgroupRemoval.remove(top, BoundedWait.of(LONG)));
  }
}
