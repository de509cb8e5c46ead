package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.Freezer;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.Membership.InJob;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.StateResult;
import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;

/** Sessions that come while their job is suspended and resumed, over and over. */
@Tag("root")
class SuspendRaceTest {
  private static final int SESSIONS = Counts.of(150, 1_000);
  private static final JobId JOB = new JobId(42);
  private static final AdoptResult SUSPENDED = new AdoptResult.NotOpen("job 42 is suspended");

  private static final class Results {
    final AtomicInteger adopted = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final AtomicInteger suspended = new AtomicInteger();
  }

  @OnEachHierarchy
  void everySessionIsInBeforeOrRefusedAndNoneHangs(Choice choice) throws Exception {
    Results results = new Results();
    Set<Integer> inside = ConcurrentHashMap.newKeySet();
    AtomicBoolean over = new AtomicBoolean();
    try (Rig rig = new Rig(choice);
        ExecutorService threads = Executors.newFixedThreadPool(5)) {
      rig.begin(42);
      Future<?> suspending = threads.submit(() -> suspend(rig, over, results));
      List<Future<?>> sessions = new ArrayList<>();
      for (int each = 0; each < SESSIONS; each++) {
        sessions.add(threads.submit(() -> session(rig, inside, results)));
      }
      for (Future<?> session : sessions) {
        session.get(120, TimeUnit.SECONDS);
      }
      over.set(true);
      suspending.get(60, TimeUnit.SECONDS);
      assertInstanceOf(StateResult.Reached.class, rig.jobs().resume(JOB));
      assertEquals(SESSIONS, results.adopted.get() + results.refused.get());
      assertEquals(
          inside,
          Set.copyOf(
              rig.jobs().processes(JOB).stream().map(each -> each.process().pid()).toList()));
      System.out.printf(
          "suspend races sessions on %s: %d in, %d refused, %d suspensions%n",
          choice, results.adopted.get(), results.refused.get(), results.suspended.get());
    }
  }

  private static void session(Rig rig, Set<Integer> inside, Results results) {
    try (Pidfd process = Rig.pin(rig.run("sleep", "600"))) {
      AdoptResult result = rig.adopt(process, JOB);
      if (result instanceof AdoptResult.Adopted(var step, _, _, _)) {
        assertEquals(Optional.of(new InJob(step)), rig.jobs().membershipOf(process.ref()));
        inside.add(process.ref().pid());
        results.adopted.incrementAndGet();
      } else {
        assertEquals(SUSPENDED, result);
        results.refused.incrementAndGet();
      }
    }
  }

  /** While it is suspended everything in the job is frozen, and nothing is added to it. */
  private static void suspend(Rig rig, AtomicBoolean over, Results results) {
    while (!over.get()) {
      assertInstanceOf(StateResult.Reached.class, rig.jobs().suspend(JOB));
      List<JobProcess> before = rig.jobs().processes(JOB);
      pause(5);
      List<JobProcess> after = rig.jobs().processes(JOB);
      assertEquals(Set.copyOf(before), Set.copyOf(after));
      assertTrue(frozen(rig));
      assertInstanceOf(StateResult.Reached.class, rig.jobs().resume(JOB));
      pause(5);
      results.suspended.incrementAndGet();
    }
  }

  private static boolean frozen(Rig rig) {
    CgroupDirectory top = rig.job(42);
    try {
      return Freezer.of(top).orElseThrow().frozen(top);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
