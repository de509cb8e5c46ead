package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.Membership.NoJob;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.testkit.count.Counts;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;

/** An adoption against the end of its job, at once, with grace or suspended, many times. */
@Tag("root")
@Tag("host")
class RaceTest {
  private static final int ROUNDS = Counts.of(144, 10_000);

  /** What one round came to, of the adoption's side. */
  private enum Side {
    ADOPTED_AND_KILLED,
    TOO_LATE
  }

  @OnEachHierarchy
  void aProcessIsAdoptedAndKilledOrRefusedAndOutside(Choice choice) throws Exception {
    Map<Side, Integer> counts = new EnumMap<>(Side.class);
    Set<JobId> closing = ConcurrentHashMap.newKeySet();
    try (Rig rig = new Rig(choice)) {
      rig.jobs()
          .listen(changed -> {
            if (changed.state() == JobState.SUSPENDED || changed.state() == JobState.CLOSING) {
              closing.add(changed.id());
            }
          });
      for (int round = 0; round < ROUNDS; round++) {
        counts.merge(round(rig, closing, 1 + round, round), 1, Integer::sum);
      }
      assertEquals(List.of(), rig.jobs().list());
      assertEquals(List.of(), rig.pids());
    }
    System.out.printf("adopt races end on %s: %d rounds, %s%n", choice, ROUNDS, counts);
  }

  private static Side round(Rig rig, Set<JobId> closing, long id, int number) throws Exception {
    JobId job = new JobId(id);
    rig.begin(id);
    Process started = rig.run("sleep", "600");
    CyclicBarrier start = new CyclicBarrier(2);
    try (Pidfd process = Rig.pin(started)) {
      CompletableFuture<EndResult> end =
          CompletableFuture.supplyAsync(() -> {
            meet(start);
            spin(number % 8);
            return end(rig, job, number);
          });
      meet(start);
      spin(7 - number % 8);
      boolean late = closing.contains(job);
      AdoptResult result = rig.adopt(process, job);
      assertInstanceOf(EndResult.Clean.class, end.get(60, TimeUnit.SECONDS));
      return switch (result) {
        case AdoptResult.Adopted _ -> {
          assertFalse(late, "adopted after SUSPENDED or CLOSING");
          assertFalse(process.alive(), "adopted, and alive after the end");
          yield Side.ADOPTED_AND_KILLED;
        }
        case AdoptResult.NotOpen _ -> {
          assertTrue(process.alive(), "refused, and killed");
          assertEquals(Optional.of(new NoJob()), rig.jobs().membershipOf(process.ref()));
          yield Side.TOO_LATE;
        }
        case AdoptResult.Kept(String reason) -> throw new AssertionError(reason);
        case AdoptResult.Failed(String reason) -> throw new AssertionError(reason);
      };
    } finally {
      started.destroyForcibly().waitFor();
    }
  }

  /** At once, with a grace, or of a job that is being suspended; of those in turn. */
  private static EndResult end(Rig rig, JobId job, int number) {
    if (number % 3 == 2) {
      rig.jobs().suspend(job);
    }
    Duration grace = number % 3 == 1 ? Duration.ofSeconds(30) : Duration.ZERO;
    return rig.jobs().end(job, new EndOrder("", grace, Rig.LONG));
  }

  static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Shifts one side by some tens of microseconds, another amount each round. */
  static void spin(int steps) {
    long until = System.nanoTime() + steps * 40_000L;
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
  }
}
