package dev.rollcall.jobs.untrusted;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs work on users' objects, which can block in the kernel without end. Each piece of work has a
 * daemon thread, and callers wait for it with a time limit. A job has one such thread, the jobs of
 * one user have {@value #MOST_OF_A_USER}, and all jobs together have {@value #MOST}. Work that
 * comes while its job's thread is busy follows on that thread, at most {@value #MOST_WAITING}
 * pieces. Work that finds no thread, or one that hangs, is skipped, and the log has one line of
 * that until one comes back. Thread-safe.
 */
public final class UntrustedWork {
  private static final System.Logger LOG = System.getLogger(UntrustedWork.class.getName());

  /** Threads at the same time. */
  static final int MOST = 32;

  static final int MOST_OF_A_USER = 16;
  static final int MOST_WAITING = 16;

  /** Work that takes longer hangs. */
  private static final long HANGS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String what;
  private final String effect;

  /** The jobs that have a thread. Guarded by itself. */
  private final Map<JobId, Busy> busy = new HashMap<>();

  private final AtomicBoolean told = new AtomicBoolean();

  /** Of a job's work; gives the piece after it. */
  private interface Piece {
    Optional<Piece> run();
  }

  /** What a job's thread does: one piece of work, and then the others. */
  private static final class Busy {
    private final int uid;
    private final Deque<Piece> waiting = new ArrayDeque<>();
    private long sinceNanos = System.nanoTime();
    private boolean gaveUp;

    private Busy(int uid) {
      this.uid = uid;
    }

    private boolean takes(Piece work) {
      boolean hangs = gaveUp || System.nanoTime() - sinceNanos > HANGS_NANOS;
      return !hangs && waiting.size() < MOST_WAITING && waiting.add(work);
    }
  }

  /**
   * @param what for the log and the threads' names, as {@code terminals}
   * @param effect of work that is skipped, for the log
   */
  public UntrustedWork(String what, String effect) {
    this.what = what;
    this.effect = effect;
  }

  /** The result of this work; empty if it failed, was left out, or takes longer than this. */
  public <T> Optional<T> within(Job job, Duration time, Callable<T> work) {
    return within(job, time, begin(job, work));
  }

  /** The same of work that was begun before. */
  public <T> Optional<T> within(Job job, Duration time, CompletableFuture<Optional<T>> begun) {
    try {
      return begun.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      synchronized (busy) {
        Optional.ofNullable(busy.get(job.id())).ifPresent(its -> its.gaveUp = true);
      }
      LOG.log(
          WARNING,
          "{0} of job {1} did not answer within {2} ms: {3}",
          what,
          job.id(),
          Long.toString(time.toMillis()),
          effect);
      return Optional.empty();
    } catch (ExecutionException e) {
      LOG.log(DEBUG, "{0} of job {1}: {2}", what, job.id(), e.getMessage());
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Begins the work. Returns at once; what it will give is empty if it was left out. */
  public <T> CompletableFuture<Optional<T>> begin(Job job, Callable<T> work) {
    var result = new CompletableFuture<Optional<T>>();
    Piece piece = () -> run(job.id(), work, result);
    synchronized (busy) {
      Busy its = busy.get(job.id());
      if (its != null) {
        return its.takes(piece) ? result : leftOut(job.id());
      }
      if (busy.size() >= MOST || ofUser(job.uid()) >= MOST_OF_A_USER) {
        return leftOut(job.id());
      }
      busy.put(job.id(), new Busy(job.uid()));
    }
    Thread.ofPlatform()
        .daemon()
        .name("rollcall-" + what + "-" + job.id())
        .start(() -> runAll(piece));
    return result;
  }

  private static void runAll(Piece first) {
    Optional<Piece> next = Optional.of(first);
    while (next.isPresent()) {
      next = next.get().run();
    }
  }

  private long ofUser(int uid) {
    return busy.values().stream().filter(each -> each.uid == uid).count();
  }

  private <T> CompletableFuture<Optional<T>> leftOut(JobId job) {
    if (told.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "{0} of job {1} are skipped, as earlier ones still hang: {2}",
          what,
          job,
          effect);
    }
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @SuppressWarnings("IllegalCatch") // whatever it was, who waits is told
  private <T> Optional<Piece> run(
      JobId job, Callable<T> work, CompletableFuture<Optional<T>> result) {
    Optional<Piece> next;
    Optional<T> done = Optional.empty();
    Optional<Exception> failure = Optional.empty();
    try {
      done = Optional.of(work.call());
    } catch (Exception e) {
      failure = Optional.of(e);
    } finally {
      // Before the waiting caller continues, because it may have more work for the same job.
      next = next(job);
      told.set(false);
      failure.ifPresent(result::completeExceptionally);
      result.complete(done);
    }
    return next;
  }

  /** What the job's thread does next; empty: it ends. */
  private Optional<Piece> next(JobId job) {
    synchronized (busy) {
      Busy its = Objects.requireNonNull(busy.get(job));
      Optional<Piece> next = Optional.ofNullable(its.waiting.poll());
      if (next.isEmpty()) {
        busy.remove(job);
      }
      its.sinceNanos = System.nanoTime();
      its.gaveUp = false;
      return next;
    }
  }
}
