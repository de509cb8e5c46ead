package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.linux.cgroup.Freezer;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.EndInSteps;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.StateResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an end leaves: nothing. */
@Tag("root")
class EndingTest {
  private static final JobId JOB = new JobId(42);

  /** PATH_MAX of Linux without the zero at its end. */
  private static final int LONGEST_PATH = 4_095;

  private static void adopt(Rig rig, Process process) {
    try (Pidfd pinned = Rig.pin(process)) {
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(pinned, JOB));
    }
  }

  private static void assertNothingLeft(Rig rig) {
    assertEquals(List.of(), rig.pids());
    assertEquals(List.of(), rig.directories(42));
    assertEquals(List.of(), rig.jobs().list());
  }

  @OnEachHierarchy
  void straysThatIgnoreTerminationLeaveTheirSessionOrForkTwiceAreKilled(Choice choice) {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Process shell =
          rig.shell(
              "read go; trap '' TERM HUP INT; setsid sh -c 'trap \"\" TERM HUP; sleep 600' & (sh -c"
                  + " 'setsid sleep 600 & exit 0' &) ; nohup sleep 600 & while :; do sleep 1;"
                  + " done");
      adopt(rig, shell);
      release(shell);
      Rig.await("four strays and the shell", () -> rig.jobs().processes(JOB).size() >= 5);
      EndResult.Clean clean =
          assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
      assertTrue(clean.killed() >= 5, "killed " + clean.killed());
      assertNothingLeft(rig);
    }
  }

  @Test
  void aMistakeBeforeTheRemovalDelaysTheEndByOneRound() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(42);
      adopt(rig, rig.run("sleep", "600"));
      JobTree tree = JobTree.open(rig.tree());
      var signals = new Signals(tree, Rig.PROC);
      var calls = new AtomicInteger();
      var teardown =
          new Teardown(
              tree,
              signals,
              JOB,
              new BitSet(),
              () -> {
                if (calls.incrementAndGet() == 1) {
                  throw new IllegalStateException("a mistake");
                }
              });
      assertTrue(teardown.run(BoundedWait.of(Rig.LONG)));
      assertEquals(List.of(), rig.pids());
    }
  }

  /** The child counts on its own parent, the job's direct child, to end it. */
  @OnEachHierarchy
  void onlyDirectChildrenAreAskedToEndWhereTheSiteWantsThat(Choice choice) throws IOException {
    for (EndSignal to : EndSignal.values()) {
      try (Rig rig = new Rig(choice)) {
        var ends = new EndRules(SessionEnd.KEEP, to, OomKill.PROCESS, Optional.empty());
        rig.reopen(ends);
        rig.begin(42);
        Path asked = rig.state.resolve("asked");
        Process shell =
            rig.shell(
                "read go; trap 'echo parent >>%1$s; exit 0' TERM; sh -c 'trap \"echo child >>%1$s;"
                        .formatted(asked)
                    + " exit 0\" TERM; touch %1$s.ready; while :; do sleep 0.1; done' & while :; do"
                        .formatted(asked)
                    + " sleep 0.1; done");
        adopt(rig, shell);
        release(shell);
        Rig.await("the child is ready", () -> Files.exists(Path.of(asked + ".ready")));
        var order = new EndOrder("", Duration.ofSeconds(1), Duration.ofSeconds(20));
        assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, order));
        assertEquals(
            to == EndSignal.ALL ? List.of("child", "parent") : List.of("parent"),
            Files.readAllLines(asked).stream().sorted().toList());
        assertNothingLeft(rig);
      }
    }
  }

  private static void release(Process shell) {
    try {
      shell.getOutputStream().write('\n');
      shell.getOutputStream().flush();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Doubles eight times, so that some 500 forks race the end; each is a session of its own. */
  private static final String DOUBLING =
      """
      import os, sys, time, signal
      signal.signal(signal.SIGTERM, signal.SIG_IGN)
      sys.stdin.readline()
      for i in range(8):
          if os.fork() == 0:
              os.setsid()
              if os.fork():
                  os._exit(0)
          time.sleep(0.001)
      time.sleep(600)
      """;

  /** Sixteen that each live in 200 processes, one after the other: none is there for long. */
  private static final String HOPPING =
      """
      import os, sys, time
      sys.stdin.readline()
      for i in range(4):
          os.fork()
      for i in range(200):
          if os.fork():
              os._exit(0)
          os.setsid()
      time.sleep(600)
      """;

  @OnEachHierarchy
  void processesThatForkWhileTheJobEndsDoNotEscape(Choice choice) {
    for (String program : List.of(DOUBLING, HOPPING)) {
      try (Rig rig = new Rig(choice)) {
        rig.begin(42);
        Process process = rig.run("python3", "-c", program);
        adopt(rig, process);
        release(process);
        Rig.await("some have forked", () -> rig.pids().size() > 10);
        assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
        assertNothingLeft(rig);
        assertEquals(List.of(), running(program), "no process runs this program any more");
      }
    }
  }

  private static List<ProcessHandle> running(String program) {
    return ProcessHandle.allProcesses()
        .filter(
            each -> each.info().arguments().stream().anyMatch(a -> List.of(a).contains(program)))
        .toList();
  }

  @OnEachHierarchy
  void whatIsInACgroupWhoseNameIsNoTextIsListedToldToEndAndRemoved(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      rig.adopt(process, JOB);
      List<CgroupDirectory> leaves = new ArrayList<>();
      for (CgroupDirectory root : rig.roots) {
        CgroupDirectory session = root.child("rollcall.scope/job_42/step_extern/user/session_1");
        // A new cpuset of v1 has no CPUs and takes nothing.
        boolean empty = choice == Choice.V1 && session.has("cpuset.cpus");
        if (session.exists() && !empty) {
          Process made =
              rig.run("sh", "-c", "mkdir \"$1/$(printf '\\377')\"", "sh", session.toString());
          assertEquals(0, made.waitFor());
          leaves.add(session.children().getFirst());
        }
      }
      for (CgroupDirectory leaf : leaves) {
        leaf.add(process.ref().pid());
      }
      assertEquals(
          List.of(new JobProcess(process.ref(), StepId.EXTERN, "sleep")),
          rig.jobs().processes(JOB));
      // Within the grace: SIGTERM reached it.
      EndOrder order = new EndOrder("", Duration.ofMinutes(5), Duration.ofMinutes(1));
      assertEquals(new EndResult.Clean(1), rig.jobs().end(JOB, order));
      assertFalse(process.alive());
    }
  }

  /** The next one begins as soon as this one is closed, with a process that this one had. */
  @Test
  void theProcessesOfTheNextJobWithItsNumberAreNoConcernOfAnEnd() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(42);
      Process process = rig.shellThatHas("trap '' TERM", "read wait");
      int pid = (int) process.pid();
      adopt(rig, process);
      rig.jobs()
          .listen(changed -> {
            if (changed.state() == JobState.CLOSED) {
              putInto(rig.job(42), pid);
            }
          });
      EndInSteps end =
          rig.jobs().endInSteps(JOB, new EndOrder("", Duration.ofMinutes(5), Rig.LONG));
      assertEquals(Optional.empty(), end.step());
      putInto(rig.roots.getFirst().child("elsewhere"), pid);
      Optional<EndResult> result = end.step();
      while (result.isEmpty()) {
        LockSupport.parkNanos(end.pause().toNanos());
        result = end.step();
      }
      assertEquals(new EndResult.Clean(1), result.get());
      assertEquals(List.of(pid), rig.job(42).pidsBelow());
    }
  }

  private static void putInto(CgroupDirectory cgroup, int pid) {
    try {
      cgroup.create();
      cgroup.add(pid);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** A user to whom the session's cgroup is delegated makes such ones. */
  @Test
  void aThreadedCgroupDoesNotKeepItsJobFromBeingListedSuspendedAndToldToEnd() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      rig.adopt(process, JOB);
      CgroupDirectory session =
          rig.roots.getFirst().child("rollcall.scope/job_42/step_extern/user/session_1");
      session.child("threaded").create();
      session.child("threaded").write("cgroup.type", "threaded");
      session.child("threaded").write("cgroup.threads", Integer.toString(process.ref().pid()));
      assertEquals(
          List.of(new JobProcess(process.ref(), StepId.EXTERN, "sleep")),
          rig.jobs().processes(JOB));
      assertInstanceOf(StateResult.Reached.class, rig.jobs().suspend(JOB));
      assertInstanceOf(StateResult.Reached.class, rig.jobs().resume(JOB));
      // Within the grace: SIGTERM reached it.
      EndOrder order = new EndOrder("", Duration.ofMinutes(5), Duration.ofMinutes(1));
      assertEquals(new EndResult.Clean(1), rig.jobs().end(JOB, order));
      assertFalse(process.alive());
      assertNothingLeft(rig);
    }
  }

  @OnEachHierarchy
  void aCgroupWhoseFilesHaveTooLongPathsDoesNotKeepItsJobFromEnding(Choice choice)
      throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      rig.adopt(process, JOB);
      if (choice == Choice.V2) {
        rig.job(42).write("cgroup.max.depth", "max");
      }
      CgroupDirectory deep = rig.job(42).child("step_extern/user/session_1");
      while (deep.toString().length() < LONGEST_PATH) {
        int left = LONGEST_PATH - deep.toString().length() - 1;
        deep = deep.child("d".repeat(left > 200 ? 100 : left));
      }
      deep.create();
      assertEquals(
          List.of(new JobProcess(process.ref(), StepId.EXTERN, "sleep")),
          rig.jobs().processes(JOB));
      EndOrder order = new EndOrder("", Duration.ofMinutes(5), Duration.ofMinutes(1));
      assertEquals(new EndResult.Clean(1), rig.jobs().end(JOB, order));
      assertFalse(process.alive());
      assertNothingLeft(rig);
    }
  }

  @OnEachHierarchy
  void aProcessThatCannotBeKilledIsNamedAndTheEndIsTriedAgain(Choice choice) throws IOException {
    CgroupMounts mounts = CgroupMounts.read(Path.of("/proc"));
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      rig.adopt(process, JOB);
      // A process in a frozen v1 cgroup does not die of SIGKILL until somebody thaws it. For v1 it
      // is a cgroup above the job's, which the end of a job does not thaw.
      CgroupDirectory ice =
          choice == Choice.V1
              ? rig.roots.getFirst()
              : new CgroupDirectory(
                  mounts
                      .v1("freezer")
                      .orElseThrow()
                      .point()
                      .resolve(rig.roots.getFirst().path().getFileName().toString() + "-ice"));
      ice.create();
      if (choice == Choice.V2) {
        ice.add(process.ref().pid());
      }
      try {
        assertTrue(Freezer.V1.freeze(ice, BoundedWait.of(Rig.LONG)));
        EndResult.Unclean unclean =
            assertInstanceOf(EndResult.Unclean.class, rig.jobs().end(JOB, Duration.ofMillis(300)));
        assertEquals(
            List.of(new JobProcess(process.ref(), StepId.EXTERN, "sleep")), unclean.remaining());
        assertEquals(0, unclean.killed());
        assertTrue(unclean.reason().contains(Integer.toString(process.ref().pid())));
        assertEquals(JobState.CLOSING, rig.jobs().list().getFirst().state());
        assertInstanceOf(AdoptResult.NotOpen.class, rig.adopt(rig.sleeper(), JOB));
        JobSpec spec = new JobSpec(JOB, 1001, 1001, Instant.EPOCH);
        assertInstanceOf(BeginResult.Refused.class, rig.jobs().begin(spec));
        rig.reopen(Rig.BOOT);
        assertEquals(
            List.of(JobState.CLOSING), rig.jobs().list().stream().map(Job::state).toList());
      } finally {
        Freezer.V1.thaw(ice);
      }
      Rig.await(
          "reaped",
          () -> {
            rig.jobs().reap();
            return rig.jobs().list().isEmpty();
          });
      assertFalse(process.alive());
      assertNothingLeft(rig);
      if (choice == Choice.V2) {
        Rig.await("ice is empty", () -> Rig.pidsBelow(ice).isEmpty());
        Files.delete(ice.path());
      }
    }
  }

  @OnEachHierarchy
  void aProcessThatHangsInTheKernelIsNamedWithItsStateAndPlace(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      try (HungFile hung = new HungFile()) {
        Process stat = rig.run("stat", hung.name());
        hung.awaitAsked();
        adopt(rig, stat);
        EndOrder order = new EndOrder("", Duration.ofMillis(50), Duration.ofMillis(600));
        EndResult.Unclean unclean =
            assertInstanceOf(EndResult.Unclean.class, rig.jobs().end(JOB, order));
        assertEquals(1, unclean.remaining().size());
        String named = stat.pid() + " (stat, D in request_wait_answer)";
        assertTrue(unclean.reason().contains(named), unclean.reason());
        assertEquals(JobState.CLOSING, rig.jobs().list().getFirst().state());
        assertInstanceOf(
            EndResult.Unclean.class, rig.jobs().end(JOB, Duration.ofMillis(100)), "nor again");
      }
      Rig.await(
          "ended by the sweep",
          () -> {
            rig.jobs().reap();
            return rig.jobs().list().isEmpty();
          });
      assertNothingLeft(rig);
    }
  }

  @OnEachHierarchy
  void whoeverListensToSigtermHasTheGraceAndWhoeverDoesNotIsKilledAfterIt(Choice choice)
      throws IOException {
    Path told = Files.createTempFile("rollcall", "told");
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      adopt(rig, rig.shellThatHas("trap '' TERM", "while :; do sleep 1; done"));
      // Stopped: it hears of its end all the same.
      Process listening =
          rig.shellThatHas(
              "trap 'echo told > " + told + "; exit' TERM", "while :; do sleep 0.02; done");
      adopt(rig, listening);
      Process stopping = rig.run("kill", "-STOP", Long.toString(listening.pid()));
      Rig.await("it is stopped", () -> !stopping.isAlive());
      EndOrder order = new EndOrder("", Duration.ofSeconds(4), Rig.LONG);
      EndResult.Clean clean = assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, order));
      assertTrue(clean.killed() >= 2, "ended " + clean.killed());
      assertEquals("told\n", Files.readString(told));
      assertNothingLeft(rig);
    } finally {
      Files.delete(told);
    }
  }

  @OnEachHierarchy
  void anEndThatIsNotWaitedForComesWhenItsGraceIsOverOrShortened(Choice choice) {
    for (boolean shortened : List.of(false, true)) {
      try (Rig rig = new Rig(choice)) {
        rig.begin(42);
        Process deaf = rig.shellThatHas("trap '' TERM", "while :; do sleep 0.1; done");
        adopt(rig, deaf);
        Rig.await("it is deaf", () -> rig.pids().size() > 1);
        Duration grace = shortened ? Duration.ofMinutes(9) : Duration.ofMillis(400);
        EndResult.Unclean unclean =
            assertInstanceOf(
                EndResult.Unclean.class,
                rig.jobs().end(JOB, new EndOrder("", grace, Duration.ofMillis(100))));
        assertTrue(unclean.reason().startsWith("job 42 may live for another"), unclean.reason());
        assertTrue(deaf.isAlive());
        if (shortened) {
          rig.jobs().reap();
          assertTrue(deaf.isAlive(), "the sweep leaves it its grace");
          assertInstanceOf(EndResult.Clean.class, rig.jobs().end(JOB, Rig.LONG));
        }
        Rig.await("ended", () -> rig.jobs().list().isEmpty());
        assertNothingLeft(rig);
      }
    }
  }

  @OnEachHierarchy
  void directoriesThatNoJobHasAreSweptAndTheirNumbersAreFree(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      adopt(rig, rig.run("sleep", "600"));
      for (CgroupDirectory root : rig.roots) {
        root.child("rollcall.scope").child("job_77").child("step_extern").create();
      }
      rig.roots.getLast().child("rollcall.scope").child("job_78").create();
      rig.job(79).create();
      Process root = rig.run("sleep", "600");
      rig.job(79).add((int) root.pid());
      rig.jobs().reap();
      for (long id : List.of(77L, 78L, 79L)) {
        assertEquals(List.of(), rig.directories(id), "job " + id);
      }
      Rig.await("nobody's process is ended", () -> !root.isAlive());
      assertEquals(List.of(JOB), rig.jobs().list().stream().map(Job::id).toList());
      assertEquals(1, rig.jobs().processes(JOB).size());
      rig.begin(77);
    }
  }

  @OnEachHierarchy
  void cgroupsThatTheJobMadeBelowItsOwnGoWithIt(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd process = rig.sleeper();
      rig.adopt(process, JOB);
      CgroupDirectory deep =
          rig.job(42).child("step_extern").child("user").child("session_1").child("a").child("b");
      deep.create();
      deep.add(process.ref().pid());
      assertEquals(1, rig.jobs().processes(JOB).size());
      assertTrue(deep.exists(), "a living session keeps its cgroups");
      assertEquals(new EndResult.Clean(1), rig.jobs().end(JOB, Rig.LONG));
      assertNothingLeft(rig);
    }
  }

  @OnEachHierarchy
  void endsOfOneJobAtTheSameTimeAgree(Choice choice) throws InterruptedException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      rig.adopt(rig.sleeper(), JOB);
      List<EndResult> results = java.util.Collections.synchronizedList(new ArrayList<>());
      List<Thread> threads = new ArrayList<>();
      for (int each = 0; each < 4; each++) {
        threads.add(Thread.ofPlatform().start(() -> results.add(rig.jobs().end(JOB, Rig.LONG))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(
          1, results.stream().filter(new EndResult.Clean(1)::equals).count(), "" + results);
      assertEquals(
          3,
          results.stream()
              .filter(r -> r.equals(new EndResult.Clean(0)) || r instanceof EndResult.NoSuchJob)
              .count(),
          "" + results);
      assertNothingLeft(rig);
    }
  }
}
