package dev.rollcall.testkit.history;

import dev.rollcall.testkit.count.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Has threads do things at random to a subject, round after round, each beginning at once.
 *
 * @param count rounds, at most
 * @param threads of one round
 * @param operations of one thread in one round
 */
public record Rounds(int count, int threads, int operations) {
  private static final int SPINS = 2_000;

  /** So many by default, and so many with the full counts. */
  public static Rounds of(int byDefault, int full, int threads, int operations) {
    return new Rounds(Counts.of(byDefault, full), threads, operations);
  }

  /**
   * The first history that no order explains.
   *
   * @return empty: all rounds were as if one thread had done all
   */
  public <S, O, A> Optional<History<O, A>> unexplained(
      Supplier<? extends Subject<O, A>> fresh, Specification<S, O, A> specification)
      throws Exception {
    try (ExecutorService crew = Executors.newFixedThreadPool(threads)) {
      for (int round = 0; round < count; round++) {
        History<O, A> history = round(crew, fresh, new Random(round));
        if (history.order(specification).isEmpty()) {
          return Optional.of(history);
        }
      }
    }
    return Optional.empty();
  }

  private <O, A> History<O, A> round(
      ExecutorService crew, Supplier<? extends Subject<O, A>> fresh, Random random)
      throws Exception {
    try (Subject<O, A> subject = fresh.get()) {
      List<List<O>> scripts =
          IntStream.range(0, threads).mapToObj(each -> script(subject, random, each)).toList();
      var arrived = new AtomicInteger();
      List<Future<List<RecordedCall<O, A>>>> running = new ArrayList<>();
      for (int each = 0; each < threads; each++) {
        int thread = each;
        running.add(
            crew.submit(() -> {
              meet(arrived);
              return done(subject, thread, scripts.get(thread));
            }));
      }
      List<RecordedCall<O, A>> calls = new ArrayList<>();
      for (Future<List<RecordedCall<O, A>>> each : running) {
        calls.addAll(result(crew, each));
      }
      return subject.settled(new History<>(calls));
    }
  }

  private <O> List<O> script(Subject<O, ?> subject, Random random, int thread) {
    return Stream.generate(() -> subject.next(random, thread)).limit(operations).toList();
  }

  private static <T> T result(ExecutorService crew, Future<T> running) throws Exception {
    try {
      return running.get(120, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      crew.shutdownNow();
      throw e;
    }
  }

  /** Closer together than a barrier that parks would let them go. */
  private void meet(AtomicInteger arrived) {
    arrived.incrementAndGet();
    for (int spins = 0; arrived.get() < threads; spins++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("the round was given up");
      }
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(1_000);
      }
    }
  }

  private static <O, A> List<RecordedCall<O, A>> done(
      Subject<O, A> subject, int thread, List<O> script) throws Exception {
    List<RecordedCall<O, A>> calls = new ArrayList<>(script.size());
    for (O operation : script) {
      long begun = System.nanoTime();
      A answer = subject.perform(operation);
      long ended = System.nanoTime();
      calls.add(new RecordedCall<>(thread, calls.size(), operation, answer, begun, ended));
    }
    return calls;
  }
}
