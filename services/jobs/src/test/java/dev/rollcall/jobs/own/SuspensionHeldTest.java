package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.StateResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A user who works against the suspension and the end of a job of their own. */
@Tag("root")
class SuspensionHeldTest {
  private static final JobId JOB = new JobId(42);
  private static final int USER = 1001;
  private static final int ROUNDS = 6;

  @TempDir Path directory = Path.of("unset");

  private static void adopt(Rig rig, Process process) {
    try (Pidfd pinned = Rig.pin(process)) {
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(pinned, JOB));
    }
  }

  private static Process asUser(Rig rig, String script, String... arguments) {
    var command =
        Stream.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups", "sh", "-c");
    return rig.run(
        Stream.concat(command, Stream.concat(Stream.of(script), Stream.of(arguments)))
            .toArray(String[]::new));
  }

  private static int status(Process process) throws InterruptedException {
    assertTrue(process.waitFor(20, TimeUnit.SECONDS));
    return process.exitValue();
  }

  private String counted() {
    try {
      return Files.readString(directory.resolve("count"));
    } catch (IOException e) {
      return "";
    }
  }

  /** A cgroup of the user's below the one that the process is in, with the process in it. */
  private static Path delegated(Rig rig, Process process) throws IOException {
    String pid = Long.toString(process.pid());
    Path own;
    try (Stream<Path> all = Files.walk(rig.job(42).path())) {
      own =
          all.filter(file -> file.endsWith("cgroup.procs"))
              .filter(file -> has(file, pid))
              .map(Path::getParent)
              .findFirst()
              .orElseThrow();
    }
    Path users = Files.createDirectory(own.resolve("users"));
    new CgroupDirectory(users).write("cgroup.procs", pid);
    try (Stream<Path> files = Files.walk(users)) {
      for (Path file : files.toList()) {
        Files.setAttribute(file, "unix:uid", USER);
      }
    }
    return users;
  }

  private static boolean has(Path file, String pid) {
    try {
      return Files.readAllLines(file).contains(pid);
    } catch (IOException e) {
      return false;
    }
  }

  @OnEachHierarchy
  void nothingThatIsTheUsersThawsAJob(Choice choice) throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Process counter =
          asUser(
              rig,
              "i=0; while :; do i=$((i+1)); echo $i > \"$0\"; sleep 0.01; done",
              directory.resolve("count").toString());
      Rig.await("it counts", () -> !counted().isEmpty());
      adopt(rig, counter);
      Path users = delegated(rig, counter);
      assertInstanceOf(StateResult.Reached.class, rig.jobs().suspend(JOB));
      String before = counted();
      String pid = Long.toString(counter.pid());
      assertEquals(0, status(asUser(rig, "kill -STOP $0; kill -CONT $0", pid)));
      String thaw =
          choice == Choice.V2
              ? "echo 1 > $0/cgroup.freeze && echo 0 > $0/cgroup.freeze"
              : "echo FROZEN > $0/freezer.state && echo THAWED > $0/freezer.state";
      assertEquals(0, status(asUser(rig, thaw, users.toString())), "their own they may write");
      for (Path of : List.of(users.getParent(), rig.job(42).path())) {
        assertNotEquals(0, status(asUser(rig, thaw, of.toString())), "no other");
        assertNotEquals(0, status(asUser(rig, "echo $1 > $0/cgroup.procs", of.toString(), pid)));
      }
      Thread.sleep(200);
      assertEquals(before, counted());
      assertEquals(JobState.SUSPENDED, rig.jobs().list().getFirst().state());
      // Frozen by the user as well, it goes on when both have thawed it.
      assertInstanceOf(StateResult.Reached.class, rig.jobs().resume(JOB));
      Rig.await("it counts on", () -> !counted().equals(before));
      assertInstanceOf(StateResult.Reached.class, rig.jobs().suspend(JOB));
      assertInstanceOf(
          EndResult.Clean.class,
          rig.jobs().end(JOB, new EndOrder("", Duration.ofMillis(100), Rig.LONG)));
      assertEquals(List.of(), rig.pids());
    }
  }

  @OnEachHierarchy
  void anEndEndsWhileOthersSuspendAndResumeAndProcessesAreStopped(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice);
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      for (int round = 0; round < ROUNDS; round++) {
        rig.begin(42);
        adopt(rig, rig.shellThatHas("trap '' TERM CONT", "while :; do sleep 0.02; done"));
        Process stopped = asUser(rig, "kill -STOP $$; sleep 600");
        adopt(rig, stopped);
        Future<?> suspending = threads.submit(() -> untilGone(rig, true));
        Future<?> resuming = threads.submit(() -> untilGone(rig, false));
        if (round % 3 > 0) {
          assertInstanceOf(StateResult.class, rig.jobs().suspend(JOB));
        }
        Duration grace = round % 2 == 0 ? Duration.ZERO : Duration.ofMillis(50);
        assertInstanceOf(
            EndResult.Clean.class, rig.jobs().end(JOB, new EndOrder("", grace, Rig.LONG)));
        suspending.get(60, TimeUnit.SECONDS);
        resuming.get(60, TimeUnit.SECONDS);
        assertEquals(List.of(), rig.pids());
        assertEquals(List.of(), rig.directories(42));
      }
    }
  }

  private static void untilGone(Rig rig, boolean suspends) {
    StateResult last;
    do {
      last = suspends ? rig.jobs().suspend(JOB) : rig.jobs().resume(JOB);
    } while (!(last instanceof StateResult.NoSuchJob));
  }
}
