package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.EndInSteps;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.StepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;

/** The extern step with the sessions ends after the other steps of an own job. */
@Tag("root")
class EndOrderTest {
  private static final JobId JOB = new JobId(42);

  /**
   * On SIGTERM it writes its name, works, and writes its name again.
   *
   * @param work a command of the shell
   */
  private static String cleaningUp(String name, String work, Path log) {
    return "trap 'echo %1$s-asked >>%3$s; %2$s; echo %1$s-ended >>%3$s; exit' TERM"
        .formatted(name, work, log);
  }

  private static void adopt(Rig rig, Process process) {
    try (Pidfd pinned = Rig.pin(process)) {
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(pinned, JOB));
    }
  }

  private static void putIntoStep(Rig rig, Process process) throws IOException {
    var made = assertInstanceOf(StepResult.Made.class, rig.jobs().beginStep(JOB, Optional.empty()));
    for (Path procs : made.procsFiles()) {
      Files.writeString(procs, Long.toString(process.pid()));
    }
  }

  /** A step and a session, which write to the log when they are asked to end and when they end. */
  private static void stepAndSession(Rig rig, Path log, String stepsTrap) throws IOException {
    rig.begin(42);
    putIntoStep(rig, rig.shellThatHas(stepsTrap, "while :; do sleep 0.05; done"));
    adopt(
        rig,
        rig.shellThatHas(cleaningUp("session", "sleep 0", log), "while :; do sleep 0.05; done"));
  }

  @OnEachHierarchy
  void sessionsAreAskedToEndWhenTheStepsHaveEnded(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      Path log = rig.state.resolve("log");
      stepAndSession(rig, log, cleaningUp("step", "sleep 0.5", log));
      EndOrder order = new EndOrder("", Duration.ofMinutes(5), Rig.LONG);
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, order));
      assertEquals(
          List.of("step-asked", "step-ended", "session-asked", "session-ended"),
          Files.readAllLines(log));
    }
  }

  /** Nobody waits for this end: the caller left after 50 ms, and the step goes on until then. */
  @OnEachHierarchy
  void sessionsAreAskedAlsoIfNoRequestWaitsForTheEnd(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      Path log = rig.state.resolve("log");
      Path left = rig.state.resolve("left");
      String untilLeft = "until [ -e " + left + " ]; do sleep 0.05; done";
      stepAndSession(rig, log, cleaningUp("step", untilLeft, log));
      EndOrder order = new EndOrder("", Duration.ofMinutes(5), Duration.ofMillis(50));
      assertInstanceOf(EndResult.Unclean.class, rig.jobs().end(JOB, order));
      Files.createFile(left);
      Rig.await("the session ended", () -> lines(log).contains("session-ended"));
      assertEquals(
          List.of("step-asked", "step-ended", "session-asked", "session-ended"), lines(log));
    }
  }

  @OnEachHierarchy
  void stepsThatIgnoreSigtermLeaveSessionsAPartOfTheGrace(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      Path log = rig.state.resolve("log");
      stepAndSession(rig, log, "trap 'echo step-asked >>" + log + "' TERM");
      long before = System.nanoTime();
      EndOrder order = new EndOrder("", Duration.ofSeconds(2), Rig.LONG);
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, order));
      assertTrue(System.nanoTime() - before >= Duration.ofSeconds(2).toNanos());
      assertEquals(List.of("step-asked", "session-asked", "session-ended"), lines(log));
    }
  }

  /** A step that ignores SIGTERM has its grace, and the thread that ends the job can do others. */
  @OnEachHierarchy
  void anEndInStepsReturnsWhileTheGraceLasts(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      Path log = rig.state.resolve("log");
      stepAndSession(rig, log, "trap 'echo step-asked >>" + log + "' TERM");
      EndInSteps end =
          rig.jobs().endInSteps(JOB, new EndOrder("", Duration.ofMinutes(5), Rig.LONG));
      assertEquals(JobState.CLOSING, rig.jobs().list().getFirst().state());
      assertEquals(Optional.empty(), end.step());
      Rig.await("the step got SIGTERM", () -> lines(log).contains("step-asked"));
      assertEquals(Optional.empty(), end.step());
      assertTrue(end.pause().compareTo(Duration.ofMillis(100)) <= 0);
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
      assertEquals(Optional.of(new EndResult.Clean(0)), end.step());
    }
  }

  /** Each request leaves at once, as a script does that repeats {@code job end --wait 0}. */
  @OnEachHierarchy
  void requestsThatDoNotWaitShareOneTimer(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      Path log = rig.state.resolve("log");
      stepAndSession(rig, log, "trap 'echo step-asked >>" + log + "' TERM");
      EndOrder order = new EndOrder("", Duration.ofMinutes(5), Duration.ZERO);
      for (int each = 0; each < 100; each++) {
        assertInstanceOf(EndResult.Unclean.class, rig.jobs().end(JOB, order));
      }
      assertEquals(List.of("step-asked"), lines(log));
      Set<Long> threads = new HashSet<>();
      long until = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      while (System.nanoTime() < until) {
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("rollcall-end-42"))
            .forEach(thread -> threads.add(thread.threadId()));
        Thread.sleep(1);
      }
      assertTrue(threads.size() <= 5, threads::toString);
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
    }
  }

  /** As a suspension does, which holds the job for seconds. */
  @OnEachHierarchy
  void anEndThatFindsTheJobHeldSendsSigtermAfterwards(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      Path log = rig.state.resolve("log");
      stepAndSession(rig, log, cleaningUp("step", "sleep 0", log));
      EndOrder order = new EndOrder("", Duration.ofMinutes(5), Duration.ZERO);
      NativeJob job = rig.jobs().nativeJob(JOB).orElseThrow();
      job.teardown.lock();
      try {
        var unclean =
            assertInstanceOf(
                EndResult.Unclean.class,
                CompletableFuture.supplyAsync(() -> rig.jobs().end(JOB, order)).join());
        assertEquals("job 42: another call is changing it", unclean.reason());
      } finally {
        job.teardown.unlock();
      }
      Rig.await("the job ended", () -> rig.jobs().list().isEmpty());
      assertEquals(
          List.of("step-asked", "step-ended", "session-asked", "session-ended"), lines(log));
    }
  }

  /** The first request was accepted, and did no step. */
  @OnEachHierarchy
  void anotherEndSendsTheSigtermThatTheFirstCouldNot(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      Path log = rig.state.resolve("log");
      stepAndSession(rig, log, cleaningUp("step", "sleep 0", log));
      EndInSteps first =
          rig.jobs().endInSteps(JOB, new EndOrder("", Duration.ofMinutes(5), Rig.LONG));
      assertEquals(JobState.CLOSING, rig.jobs().list().getFirst().state());
      EndOrder second = new EndOrder("", Duration.ofMinutes(5), Rig.LONG);
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, second));
      assertEquals(
          List.of("step-asked", "step-ended", "session-asked", "session-ended"), lines(log));
      assertEquals(Optional.of(new EndResult.Clean(0)), first.step());
    }
  }

  private static List<String> lines(Path log) {
    try {
      return Files.exists(log) ? Files.readAllLines(log) : List.of();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
