package dev.rollcall.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/** Counters that are right, and one that is not. */
class RoundsTest {
  private static final Rounds SOME = new Rounds(300, 3, 5);

  private static final Specification<Integer, String, Integer> COUNTING =
      new Specification<>() {
        @Override
        public Integer start() {
          return 0;
        }

        @Override
        public Set<Integer> after(Integer state, RecordedCall<String, Integer> call, int step) {
          return call.answer() == state + 1 ? Set.of(state + 1) : Set.of();
        }
      };

  private record Counter(IntSupplier count) implements Subject<String, Integer> {
    @Override
    public String next(Random random, int thread) {
      return "count";
    }

    @Override
    public Integer perform(String operation) {
      return count.getAsInt();
    }

    static Counter atomic() {
      return new Counter(new AtomicInteger()::incrementAndGet);
    }

    /** Reads, looks away, and writes. */
    static Counter torn() {
      var number = new AtomicInteger();
      return new Counter(() -> {
        int next = number.get() + 1;
        LockSupport.parkNanos(1_000);
        number.set(next);
        return next;
      });
    }

    static Counter broken() {
      return new Counter(() -> {
        throw new IllegalArgumentException("thrown by this test");
      });
    }
  }

  @Test
  void anAtomicCounterIsExplained() throws Exception {
    assertEquals(Optional.empty(), SOME.unexplained(Counter::atomic, COUNTING));
  }

  @Test
  void aTornCounterIsFound() throws Exception {
    var found = new Rounds(100_000, 3, 5).unexplained(Counter::torn, COUNTING);
    assertEquals(15, found.orElseThrow().calls().size());
    assertTrue(found.get().toString().contains("thread 2: count -> "), found.get().toString());
  }

  @Test
  void whatAnOperationThrowsEndsTheRounds() {
    var e =
        assertThrows(ExecutionException.class, () -> SOME.unexplained(Counter::broken, COUNTING));
    assertInstanceOf(IllegalArgumentException.class, e.getCause());
  }
}
