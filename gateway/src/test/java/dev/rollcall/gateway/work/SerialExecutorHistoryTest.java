package dev.rollcall.gateway.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.history.History;
import dev.rollcall.testkit.history.RecordedCall;
import dev.rollcall.testkit.history.Rounds;
import dev.rollcall.testkit.history.Specification;
import dev.rollcall.testkit.history.Subject;
import dev.rollcall.testkit.process.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several threads add to one line, and now and then one ends it. */
class SerialExecutorHistoryTest {
  private static final Rounds ROUNDS = Rounds.of(1_000, 20_000, 3, 6);
  private static final int END = -1;

  private final Workers workers = new Workers(16);

  @AfterEach
  void close() {
    workers.close();
  }

  /** How many tasks ran, and whether the rest is dropped. */
  private record Progress(int ran, boolean dropping) {}

  /** Of an addition: at which places its task ran, from 0; nowhere if it was dropped. */
  private record InOrder(boolean ends) implements Specification<Progress, Integer, List<Integer>> {
    @Override
    public Progress start() {
      return new Progress(0, false);
    }

    @Override
    public Set<Progress> after(
        Progress state, RecordedCall<Integer, List<Integer>> call, int step) {
      if (call.operation() == END) {
        return Set.of(new Progress(state.ran(), true));
      }
      if (call.answer().isEmpty()) {
        return ends ? Set.of(new Progress(state.ran(), true)) : Set.of();
      }
      boolean next = !state.dropping() && call.answer().equals(List.of(state.ran()));
      return next ? Set.of(new Progress(state.ran() + 1, false)) : Set.of();
    }
  }

  /** A line, or its broken copy, with what ran in it. */
  private static final class Adding implements Subject<Integer, List<Integer>> {
    private final Consumer<Runnable> line;
    private final Runnable end;
    private final Runnable settle;
    private final boolean ends;
    private final List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
    private int last;

    Adding(Consumer<Runnable> line, Runnable end, Runnable settle, boolean ends) {
      this.line = line;
      this.end = end;
      this.settle = settle;
      this.ends = ends;
    }

    @Override
    public Integer next(Random random, int thread) {
      return ends && random.nextInt(12) == 0 ? END : ++last;
    }

    @Override
    public List<Integer> perform(Integer task) {
      if (task == END) {
        end.run();
      } else {
        line.accept(() -> ran.add(task));
      }
      return List.of();
    }

    @Override
    public History<Integer, List<Integer>> settled(History<Integer, List<Integer>> history) {
      settle.run();
      return history.answered(call ->
          IntStream.range(0, ran.size())
              .filter(each -> ran.get(each).equals(call.operation()))
              .boxed()
              .toList());
    }
  }

  private Adding real(boolean ends) {
    var line =
        new SerialExecutor(
            workers,
            cause -> {
              throw new AssertionError(cause);
            });
    return new Adding(
        line::add, line::end, () -> Await.until("all ran", () -> workers.underWay() == 0), ends);
  }

  /** Whoever finds the line idle works on it; the look and the step are two. */
  private static final class TwoLooks {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean running;

    void add(Runnable task) {
      waiting.add(task);
      if (!running) {
        LockSupport.parkNanos(1_000);
        running = true;
        drain();
      }
    }

    private void drain() {
      Runnable task = waiting.poll();
      while (task != null) {
        LockSupport.parkNanos(1_000);
        task.run();
        task = waiting.poll();
      }
      running = false;
    }

    Adding adding() {
      return new Adding(this::add, () -> {}, this::drain, false);
    }
  }

  @Test
  void everyTaskRunsOnceInTheOrderOfItsAddition() throws Exception {
    assertEquals(Optional.empty(), ROUNDS.unexplained(() -> real(false), new InOrder(false)));
    System.out.printf("line: %s were linearizable%n", ROUNDS);
  }

  @Test
  void ofALineThatEndsTheFirstRanAndTheRestIsDropped() throws Exception {
    assertEquals(Optional.empty(), ROUNDS.unexplained(() -> real(true), new InOrder(true)));
    System.out.printf("line that ends: %s were linearizable%n", ROUNDS);
  }

  @Test
  void aLineThatLooksAndStepsWithoutItsLockIsFound() throws Exception {
    assertTrue(ROUNDS.unexplained(() -> new TwoLooks().adding(), new InOrder(false)).isPresent());
  }
}
