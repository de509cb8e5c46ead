package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.StateResult;
import dev.rollcall.testkit.count.Counts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ends of jobs whose processes have files open that answer nobody. */
@Tag("root")
class HungEndTest {
  private static final int TRIES = Counts.of(1, 100);

  private static final EndOrder WITH_A_TEXT =
      new EndOrder("the job ends", Duration.ofMillis(100), Rig.LONG);

  private static void adopt(Rig rig, int pid, long job) {
    try (Pidfd pinned = Rig.pin(pid)) {
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(pinned, new JobId(job)));
    }
  }

  private static CompletableFuture<EndResult> ending(Rig rig, long job) {
    var result = new CompletableFuture<EndResult>();
    Thread.ofVirtual().start(() -> result.complete(rig.jobs().end(new JobId(job), WITH_A_TEXT)));
    return result;
  }

  @OnEachHierarchy
  void filesThatAnswerNobodyHoldUpNeitherTheirJobsEndNorOthers(Choice choice) throws Exception {
    for (int i = 0; i < TRIES; i++) {
      holdUpNobody(choice);
    }
  }

  private static void holdUpNobody(Choice choice) throws Exception {
    List<SilentOverlay> silent = new ArrayList<>();
    Rig rig = new Rig(choice);
    try {
      for (long job = 1; job <= 3; job++) {
        rig.begin(job);
        var each = new SilentOverlay(1001);
        silent.add(each);
        adopt(rig, (int) each.server().pid(), job);
        adopt(rig, each.open(), job);
      }
      rig.begin(42);
      adopt(rig, (int) rig.run("sleep", "600").pid(), 42);
      rig.begin(43);
      adopt(rig, (int) rig.run("sleep", "600").pid(), 43);
      List<CompletableFuture<EndResult>> hostile =
          List.of(ending(rig, 1), ending(rig, 2), ending(rig, 3));
      StateResult suspended =
          CompletableFuture.supplyAsync(
                  () -> rig.jobs().suspend(new JobId(43)), Thread::startVirtualThread)
              .get(20, TimeUnit.SECONDS);
      assertEquals(
          JobState.SUSPENDED, assertInstanceOf(StateResult.Reached.class, suspended).job().state());
      assertInstanceOf(EndResult.Clean.class, ending(rig, 42).get(20, TimeUnit.SECONDS));
      for (var each : hostile) {
        assertInstanceOf(EndResult.Clean.class, each.get(20, TimeUnit.SECONDS));
      }
      assertEquals(List.of(new JobId(43)), rig.jobs().list().stream().map(it -> it.id()).toList());
    } finally {
      silent.forEach(SilentOverlay::close);
      rig.close();
    }
  }

  @OnEachHierarchy
  void aSilentFileServerInAnotherJobHoldsUpNoEnd(Choice choice) throws Exception {
    for (int i = 0; i < TRIES; i++) {
      holdsUpNoEnd(choice);
    }
  }

  private static void holdsUpNoEnd(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice);
        var ours = new SilentOverlay(1001);
        var others = new SilentOverlay(1002)) {
      rig.begin(1);
      rig.begin(2);
      adopt(rig, ours.open(), 1);
      adopt(rig, (int) ours.server().pid(), 2);
      ProcessHandle.of(others.open()).orElseThrow().destroyForcibly();
      Rig.await("another user's process is held", () -> isHeld(others));
      EndOrder order = new EndOrder("", Duration.ZERO, Rig.LONG);
      assertEquals(new EndResult.Clean(1), rig.jobs().end(new JobId(1), order));
      assertEquals(1, rig.jobs().abortedConnections());
      assertTrue(isHeld(others), "another user's connection is left");
      assertEquals(List.of(new JobId(2)), rig.jobs().list().stream().map(Job::id).toList());
      rig.begin(1);
    }
  }

  /** Mounts so many file systems of uid 1001 whose server never reads a request. */
  private static final String DECOYS =
      """
      import ctypes, os, signal, sys
      libc = ctypes.CDLL(None, use_errno=True)
      def check(what, result):
          if result:
              sys.exit(what + ': ' + os.strerror(ctypes.get_errno()))
      check('unshare', libc.unshare(0x00020000))
      check('private', libc.mount(None, b'/', None, 0x44000, None))
      check('tmpfs', libc.mount(b'rollcall-test', b'/mnt', b'tmpfs', 0, None))
      for each in range(int(sys.argv[1])):
          fuse = os.open('/dev/fuse', os.O_RDWR)
          options = b'fd=%d,rootmode=40755,user_id=1001,group_id=1001' % fuse
          os.mkdir('/mnt/%d' % each)
          check('fuse', libc.mount(b'rollcall-test', b'/mnt/%d' % each, b'fuse', 0, options))
      print('ready', flush=True)
      while True:
          signal.pause()
      """;

  @Test
  void hundredsOfSilentFileServersHoldUpAnEndNoLongerThanOne() throws Exception {
    Process decoys =
        new ProcessBuilder("python3", "-c", DECOYS, "200")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals("ready", decoys.inputReader().readLine());
    try (Rig rig = new Rig(Choice.V2);
        var ours = new SilentOverlay(1001)) {
      rig.begin(1);
      adopt(rig, ours.open(), 1);
      EndOrder order = new EndOrder("", Duration.ZERO, Rig.LONG);
      assertEquals(new EndResult.Clean(1), rig.jobs().end(new JobId(1), order));
      assertEquals(201, rig.jobs().abortedConnections());
    } finally {
      decoys.destroyForcibly();
    }
  }

  @Test
  void manyEndsThatHangDelayThePeriodicCheckNoLongerThanOne() throws Exception {
    try (Rig rig = new Rig(Choice.V2)) {
      try (var hung = new HungFile()) {
        for (long job = 1; job <= 20; job++) {
          rig.begin(job);
          int pid = (int) rig.run("cat", hung.name() + job).pid();
          adopt(rig, pid, job);
          if (job == 1) {
            hung.awaitAsked(); // the others wait in the kernel for this one's answer
          } else {
            Rig.await("it hangs", () -> HungFile.state(pid) == 'D');
          }
          assertInstanceOf(EndResult.Unclean.class, rig.jobs().end(new JobId(job), Duration.ZERO));
        }
        long before = System.nanoTime();
        rig.jobs().reap();
        Duration took = Duration.ofNanos(System.nanoTime() - before);
        assertTrue(took.compareTo(Duration.ofSeconds(2)) < 0, took::toString);
        assertEquals(20, rig.jobs().list().size());
      }
      Rig.await(
          "all have ended",
          () -> {
            rig.jobs().reap();
            return rig.jobs().list().isEmpty();
          });
    }
  }

  private static boolean isHeld(SilentOverlay overlay) {
    return Rig.PROC.sleepsIn(overlay.open()).equals(Optional.of("request_wait_answer"));
  }
}
