package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.Departure;
import dev.rollcall.jobs.JobList;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership.InJob;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.From;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.testkit.count.Counts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process leaves a job for another one only while that is open. */
@Tag("root")
class DepartureTest {
  private static final JobId ENDING = new JobId(42);
  private static final JobId OTHER = new JobId(43);
  private static final int ROUNDS = Counts.of(96, 200);

  private static final EndOrder WITH_GRACE =
      new EndOrder("", Duration.ofSeconds(30), Duration.ofSeconds(60));

  private static void adopt(Rig rig, PinnedProcess process, JobId into) {
    assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(process, into));
  }

  /** A process that ignores SIGTERM, which it still does after exec. */
  private static Pidfd stubborn(Rig rig) {
    Pidfd process = Rig.pin(rig.run("sh", "-c", "trap '' TERM; exec sleep 600"));
    var procfs = Rig.PROC;
    Rig.await("it is sleep", () -> procfs.command(process.ref().pid()).equals("sleep"));
    return process;
  }

  @OnEachHierarchy
  void nothingLeavesAJobThatIsEndingAndItDiesWithIt(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      rig.begin(43);
      Pidfd process = stubborn(rig);
      adopt(rig, process, ENDING);
      var closing = new CountDownLatch(1);
      rig.jobs()
          .listen(changed -> {
            if (changed.state() == JobState.CLOSING) {
              closing.countDown();
            }
          });
      CompletableFuture<EndResult> end =
          CompletableFuture.supplyAsync(() -> rig.jobs().end(ENDING, WITH_GRACE));
      assertTrue(closing.await(60, TimeUnit.SECONDS));
      for (From from : From.values()) {
        assertInstanceOf(AdoptResult.Kept.class, rig.jobs().adopt(process, OTHER, Rig.ALICE, from));
      }
      assertEquals(
          Optional.of(new InJob(new JobStep(ENDING, StepId.EXTERN))),
          rig.jobs().membershipOf(process.ref()));
      rig.jobs().end(ENDING, Rig.LONG);
      assertInstanceOf(EndResult.Clean.class, end.get(60, TimeUnit.SECONDS));
      assertFalse(process.alive());
      assertEquals(List.of(), rig.jobs().processes(OTHER));
    }
  }

  @OnEachHierarchy
  void aMoveAgainstTheEndOfTheJobThatIsLeftIsBeforeItOrRefused(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.begin(43);
      int moved = 0;
      for (int round = 0; round < ROUNDS; round++) {
        rig.begin(42);
        Pidfd process = rig.sleeper();
        adopt(rig, process, ENDING);
        var start = new CyclicBarrier(2);
        CompletableFuture<EndResult> end =
            CompletableFuture.supplyAsync(() -> {
              RaceTest.meet(start);
              return rig.jobs().end(ENDING, Rig.LONG);
            });
        RaceTest.meet(start);
        RaceTest.spin(round % 8);
        AdoptResult result = rig.adopt(process, OTHER);
        assertInstanceOf(EndResult.Clean.class, end.get(60, TimeUnit.SECONDS));
        if (result instanceof AdoptResult.Adopted) {
          assertTrue(process.alive(), "moved to an open job, and killed");
          moved++;
        } else {
          assertFalse(process.alive(), () -> "kept, and alive after the end: " + result);
        }
        rig.finish(process);
      }
      System.out.printf("departures on %s: %d of %d were moved%n", choice, moved, ROUNDS);
    }
  }

  @OnEachHierarchy
  void movesInOppositeDirectionsDoNotWaitForEachOther(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      rig.begin(43);
      Pidfd one = rig.sleeper();
      Pidfd two = rig.sleeper();
      var there = CompletableFuture.runAsync(() -> backAndForth(rig, one, ENDING, OTHER));
      var back = CompletableFuture.runAsync(() -> backAndForth(rig, two, OTHER, ENDING));
      CompletableFuture.allOf(there, back).get(120, TimeUnit.SECONDS);
    }
  }

  private static void backAndForth(Rig rig, Pidfd process, JobId first, JobId second) {
    for (int round = 0; round < ROUNDS; round++) {
      adopt(rig, process, first);
      adopt(rig, process, second);
    }
  }

  @OnEachHierarchy
  void aDirectoryThatIsNoKnownJobsIsLeftByNothing(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.begin(43);
      Pidfd process = rig.sleeper();
      CgroupDirectory leaf = rig.job(42).child("step_extern").child("user").child("session_1");
      leaf.create();
      leaf.add(process.ref().pid());
      assertEquals(
          new AdoptResult.Kept(
              "process %d is in job 42, which is not known here".formatted(process.ref().pid())),
          rig.adopt(process, OTHER));
    }
  }

  @Test
  void aProcessThatGoesFromJobToJobMeanwhileIsGivenUp() throws Exception {
    var looks = new AtomicInteger();
    var into =
        new NativeJob(
            new Job(OTHER, 1, 1, Instant.EPOCH, JobState.OPEN), Allocation.NONE, new JobList());
    var departure =
        new Departure<>(
            _ -> Optional.of(new JobId(looks.incrementAndGet())), _ -> Optional.of(into));
    try (Rig rig = new Rig(Rig.choices().getFirst())) {
      AdoptResult result =
          departure.run(
              rig.sleeper(), OTHER, 1, From.OPEN_JOB, _ -> new AdoptResult.Failed("moved"));
      assertTrue(
          assertInstanceOf(AdoptResult.Failed.class, result).reason().endsWith("at the same time"),
          result::toString);
    }
  }
}
