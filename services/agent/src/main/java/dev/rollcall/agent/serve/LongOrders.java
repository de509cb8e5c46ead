package dev.rollcall.agent.serve;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.EndInSteps;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.wire.Refusal;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Carries out orders that wait long, on threads of their own: not on virtual ones, since one that
 * hangs in a system call would hold one of the few threads that carry all of them. The jobs of one
 * user have half of the threads at most, so that orders for other users' jobs go on while these
 * hang. An order in steps has a thread during its steps only. Thread-safe.
 */
final class LongOrders {
  /** Orders for one job: the first one runs, the others wait for it. */
  static final int MOST_OF_A_JOB = 8;

  /** Threads for the jobs of one user. Orders beyond that wait for their turn. */
  static final int MOST_OF_A_USER = 64;

  /** Threads of all. The agent's unit leaves room for them (TasksMax). */
  private static final int MOST = 2 * MOST_OF_A_USER;

  /**
   * @param notStarted is run instead if no thread can be made
   */
  private record Task(int uid, Runnable work, Runnable notStarted) {}

  private final ConcurrentHashMap<JobId, Integer> underWay = new ConcurrentHashMap<>();
  private final ToIntFunction<JobId> owner;
  private final ExecutorService threads;

  /** First come, first served, but for users whose share is used up. Guards the next two. */
  private final Queue<Task> waiting = new ArrayDeque<>();

  private final Map<Integer, Integer> runningByUser = new HashMap<>();
  private int running;

  /**
   * @param owner the uid of a job
   */
  LongOrders(ToIntFunction<JobId> owner) {
    this(owner, Thread.ofPlatform().daemon().name("rollcall-order-", 1).factory());
  }

  LongOrders(ToIntFunction<JobId> owner, ThreadFactory factory) {
    this.owner = owner;
    this.threads = Executors.newCachedThreadPool(factory);
  }

  /**
   * Begins an order.
   *
   * @return fails with UNAVAILABLE if no thread can be made for it
   * @throws StatusRuntimeException RESOURCE_EXHAUSTED while too many are under way for the job
   */
  <R> Future<R> run(JobId job, Supplier<R> order) {
    return begin(job, answer -> answer.of(order.get()));
  }

  /**
   * Begins an end in steps, the same way.
   *
   * @param order called on one of the threads
   */
  <R> Future<R> runInSteps(JobId job, Supplier<EndInSteps> order, Function<EndResult, R> answered) {
    return begin(job, answer -> answer.next(order.get(), answered));
  }

  private <R> Future<R> begin(JobId job, Consumer<Answer<R>> work) {
    if (underWay.merge(job, 1, Integer::sum) > MOST_OF_A_JOB) {
      over(job);
      throw Refusal.plain(
          Status.RESOURCE_EXHAUSTED, "job " + job + ": " + MOST_OF_A_JOB + " orders wait already");
    }
    Answer<R> answer = new Answer<>(job, owner.applyAsInt(job));
    answer.carryOut(work);
    return answer.promise.future();
  }

  /** The answer to one order, given once. */
  private final class Answer<R> {
    private final JobId job;
    private final int uid;
    private final Promise<R> promise = Promise.promise();

    private Answer(JobId job, int uid) {
      this.job = job;
      this.uid = uid;
    }

    private void of(R result) {
      over(job);
      promise.complete(result);
    }

    private void failed(Throwable cause) {
      over(job);
      promise.fail(cause);
    }

    private void next(EndInSteps steps, Function<EndResult, R> answered) {
      Optional<EndResult> result = steps.step();
      if (result.isPresent()) {
        of(answered.apply(result.get()));
      } else {
        CompletableFuture.delayedExecutor(
                steps.pause().toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
            .execute(() -> carryOut(answer -> answer.next(steps, answered)));
      }
    }

    private void carryOut(Consumer<Answer<R>> work) {
      submit(new Task(uid, () -> attempt(work), this::noThread));
    }

    @SuppressWarnings("IllegalCatch") // whatever it was, the client gets an answer
    private void attempt(Consumer<Answer<R>> work) {
      try {
        work.accept(this);
      } catch (Throwable e) {
        failed(e);
      }
    }

    private void noThread() {
      failed(
          Refusal.plain(
              Status.UNAVAILABLE,
              "job "
                  + job
                  + ": the agent cannot make another thread; it uses "
                  + running()
                  + " of "
                  + MOST
                  + " for orders"));
    }
  }

  private void submit(Task task) {
    synchronized (waiting) {
      waiting.add(task);
    }
    startNext();
  }

  /** Starts the first that may be, if any. */
  private void startNext() {
    for (Optional<Task> next = take(); next.isPresent(); next = take()) {
      Task task = next.get();
      try {
        threads.execute(() -> run(task));
        return;
      } catch (OutOfMemoryError e) {
        // Thread#start: "unable to create native thread", as at TasksMax= of the unit.
        leave(task);
        task.notStarted().run();
      }
    }
  }

  private void run(Task task) {
    try {
      task.work().run();
    } finally {
      leave(task);
      startNext();
    }
  }

  private Optional<Task> take() {
    synchronized (waiting) {
      Optional<Task> next =
          running == MOST
              ? Optional.empty()
              : waiting.stream()
                  .filter(task -> runningByUser.getOrDefault(task.uid(), 0) < MOST_OF_A_USER)
                  .findFirst();
      next.ifPresent(task -> {
        waiting.remove(task);
        running++;
        runningByUser.merge(task.uid(), 1, Integer::sum);
      });
      return next;
    }
  }

  private void leave(Task task) {
    synchronized (waiting) {
      running--;
      runningByUser.computeIfPresent(task.uid(), (_, count) -> count == 1 ? null : count - 1);
    }
  }

  private int running() {
    synchronized (waiting) {
      return running;
    }
  }

  private void over(JobId job) {
    underWay.computeIfPresent(job, (_, count) -> count == 1 ? null : count - 1);
  }
}
