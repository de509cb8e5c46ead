package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.OwnMoves;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.Freezer;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.StateResult;
import dev.rollcall.testkit.log.LoggedLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A job that stands still, on this machine's kernel. */
@Tag("root")
class SuspensionTest {
  private static final JobId JOB = new JobId(42);

  private static final String COUNTING =
      "i=0; while :; do i=$((i+1)); echo $i > \"$0\"; sleep 0.01; done";

  @TempDir Path directory;

  private static Freezer freezer(Choice choice) {
    return choice == Choice.V2 ? Freezer.V2 : Freezer.V1;
  }

  private static void adopt(Rig rig, Process process) {
    try (Pidfd pinned = Rig.pin(process)) {
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(pinned, JOB));
    }
  }

  private static JobState reached(StateResult result) {
    return assertInstanceOf(StateResult.Reached.class, result).job().state();
  }

  private static JobState state(Rig rig) {
    return rig.jobs().list().getFirst().state();
  }

  private String counted() {
    try {
      return Files.readString(directory.resolve("count"));
    } catch (IOException e) {
      return "";
    }
  }

  private Process counter(Rig rig) {
    Process counter = rig.run("sh", "-c", COUNTING, directory.resolve("count").toString());
    Rig.await("it counts", () -> !counted().isEmpty());
    return counter;
  }

  @OnEachHierarchy
  void aSuspendedJobDoesNothingTakesNobodyAndGoesOn(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      adopt(rig, counter(rig));
      assertEquals(JobState.SUSPENDED, reached(rig.jobs().suspend(JOB)));
      assertEquals(JobState.SUSPENDED, reached(rig.jobs().suspend(JOB)), "and again");
      String before = counted();
      Thread.sleep(200);
      assertEquals(before, counted());
      Pidfd late = rig.sleeper();
      assertEquals(new AdoptResult.NotOpen("job 42 is suspended"), rig.adopt(late, JOB));
      assertEquals(
          Optional.of(new dev.rollcall.model.Membership.NoJob()),
          rig.jobs().membershipOf(late.ref()));
      assertEquals(JobState.OPEN, reached(rig.jobs().resume(JOB)));
      Rig.await("it counts on", () -> !counted().equals(before));
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(late, JOB));
    }
  }

  @OnEachHierarchy
  void aSuspendedJobIsSuspendedForTheNextAgent(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      adopt(rig, rig.run("sleep", "600"));
      rig.jobs().suspend(JOB);
      rig.reopen(Rig.BOOT);
      assertEquals(JobState.SUSPENDED, state(rig));
      assertInstanceOf(AdoptResult.NotOpen.class, rig.adopt(rig.sleeper(), JOB));
      freezer(choice).thaw(rig.job(42));
      rig.reopen(Rig.BOOT);
      Rig.await("frozen again", () -> frozen(rig, choice));
      freezer(choice).thaw(rig.job(42));
      rig.jobs().reap();
      Rig.await("frozen again by the sweep", () -> frozen(rig, choice));
      assertEquals(JobState.OPEN, reached(rig.jobs().resume(JOB)));
      rig.reopen(Rig.BOOT);
      assertEquals(JobState.OPEN, state(rig));
      freezer(choice).ask(rig.job(42));
      rig.reopen(Rig.BOOT);
      assertEquals(JobState.SUSPENDED, state(rig), "frozen, so no session may enter");
    }
  }

  private static boolean frozen(Rig rig, Choice choice) {
    try {
      return freezer(choice).frozen(rig.job(42));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @OnEachHierarchy
  void aJobThatCannotBeFrozenGoesOnAndTheProcessIsNamed(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice);
        HungFile hung = new HungFile()) {
      rig.begin(42);
      adopt(rig, counter(rig));
      Process stat = rig.run("stat", hung.name());
      hung.awaitAsked();
      adopt(rig, stat);
      StateResult.Refused refused =
          assertInstanceOf(StateResult.Refused.class, rig.jobs().suspend(JOB));
      assertTrue(refused.reason().startsWith("job 42 did not stop"), refused.reason());
      assertTrue(refused.reason().contains(stat.pid() + " (stat, "), refused.reason());
      assertEquals(JobState.OPEN, state(rig));
      String before = counted();
      Rig.await("the others go on", () -> !counted().equals(before));
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(rig.sleeper(), JOB));
    }
  }

  /** A thaw would leave it to the job's owner whether their job is suspended. */
  @OnEachHierarchy
  void aSilentFileServerOfTheOwnerKeepsNoJobFromBeingSuspended(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice);
        var silent = new SilentOverlay(Rig.ALICE);
        var logged = LoggedLines.of(Suspension.class.getName())) {
      rig.begin(42);
      adopt(rig, counter(rig));
      Process reader = rig.run("cat", "/proc/" + silent.open() + "/fd/0");
      Rig.await(
          "it waits",
          () ->
              "SD".indexOf(HungFile.state((int) reader.pid())) >= 0
                  && Rig.PROC
                      .sleepsIn((int) reader.pid())
                      .filter("request_wait_answer"::equals)
                      .isPresent());
      adopt(rig, reader);
      StateResult.Reached reached =
          assertInstanceOf(StateResult.Reached.class, rig.jobs().suspend(JOB));
      assertEquals(JobState.SUSPENDED, reached.job().state());
      assertTrue(reached.waiting().startsWith(reader.pid() + " (cat, D"), reached::waiting);
      assertTrue(
          logged.lines().toString().contains(reader.pid() + " (cat, D"), logged.lines()::toString);
      String before = counted();
      rig.jobs().reap();
      assertInstanceOf(AdoptResult.NotOpen.class, rig.adopt(rig.sleeper(), JOB));
      assertEquals(before, counted(), "nothing runs");
      assertInstanceOf(StateResult.Reached.class, rig.jobs().resume(JOB));
      Rig.await("it goes on", () -> !counted().equals(before));
      assertInstanceOf(
          EndResult.Clean.class, rig.jobs().end(JOB, new EndOrder("", Duration.ZERO, Rig.LONG)));
    }
  }

  @OnEachHierarchy
  void aSuspendedJobEndsAtOnceOrWithGrace(Choice choice) {
    for (Duration grace : List.of(Duration.ZERO, Duration.ofSeconds(10))) {
      try (Rig rig = new Rig(choice)) {
        rig.begin(42);
        Process shell =
            rig.shellThatHas(
                "trap 'echo told > " + directory.resolve("told") + "; exit' TERM",
                "while :; do sleep 0.02; done");
        adopt(rig, shell);
        rig.jobs().suspend(JOB);
        assertInstanceOf(
            EndResult.Clean.class, rig.jobs().end(JOB, new EndOrder("", grace, Rig.LONG)));
        assertEquals(!grace.isZero(), Files.exists(directory.resolve("told")));
        assertEquals(List.of(), rig.pids());
        assertEquals(List.of(), rig.directories(42));
        assertInstanceOf(StateResult.NoSuchJob.class, rig.jobs().resume(JOB));
      }
    }
  }

  /** A process called sshd that is root's, as it is between its adoption and the user's shell. */
  private Process sshd(Rig rig) throws IOException {
    Path sshd = directory.resolve("sshd");
    if (!Files.exists(sshd)) {
      Files.copy(Path.of("/bin/sleep"), sshd, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    }
    Process process = rig.run(sshd.toString(), "600");
    Rig.await("sshd runs", () -> Rig.PROC.command((int) process.pid()).equals("sshd"));
    return process;
  }

  @OnEachHierarchy
  void aLoginThatIsUnderWayIsNotFrozen(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Process session =
          rig.run(
              "setpriv", "--reuid=1001", "--clear-groups", sshd(rig).info().command().get(), "6");
      adopt(rig, session);
      Process login = sshd(rig);
      adopt(rig, login);
      assertEquals(JobState.SUSPENDED, reached(rig.jobs().suspend(JOB)));
      Rig.await("the login is refused", () -> !login.isAlive());
      assertTrue(session.isAlive(), "the session is in before");
      assertTrue(frozen(rig, choice));
      assertEquals(1, rig.jobs().processes(JOB).size());
      assertFalse(login.isAlive());
    }
  }

  private static void moveItself(Rig rig, Process process) {
    try (Pidfd pinned = Rig.pin(process)) {
      Rig.moveItself(
          pinned.ref().pid(),
          rig.jobs().sessionPlace(JOB).orElseThrow(),
          "session_" + OwnMoves.numberOf(pinned.ref()));
    }
  }

  @OnEachHierarchy
  void aLoginThatMovedItselfIsNotFrozenEither(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Process login = sshd(rig);
      moveItself(rig, login);
      assertEquals(JobState.SUSPENDED, reached(rig.jobs().suspend(JOB)));
      Rig.await("the login is refused", () -> !login.isAlive());
      assertTrue(frozen(rig, choice));
    }
  }

  @OnEachHierarchy
  void aLoginThatMovesItselfIntoAFrozenJobIsEndedByTheNextSweep(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Process session =
          rig.run(
              "setpriv", "--reuid=1001", "--clear-groups", sshd(rig).info().command().get(), "6");
      adopt(rig, session);
      assertEquals(JobState.SUSPENDED, reached(rig.jobs().suspend(JOB)));
      Process late = sshd(rig);
      moveItself(rig, late);
      rig.jobs().reap();
      Rig.await("the late login is ended", () -> !late.isAlive());
      assertTrue(session.isAlive(), "the session is in before");
      assertTrue(frozen(rig, choice));
    }
  }
}
