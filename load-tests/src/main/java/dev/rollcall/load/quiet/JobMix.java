package dev.rollcall.load.quiet;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.testkit.process.RigException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that come and go, one after another, on the node of ours and then on the peer's: each has a
 * step with 20 short processes and 10 calls; on ours its user comes by ssh as well, which is none
 * of slurmd's business.
 */
final class JobMix implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration STEP_WITHIN = Duration.ofMinutes(1);
  private static final long FIRST_OF_OURS = 7_000;

  /** Away from the measured processor, on which slurmd and its steps may be. */
  private static final String STEP =
      """
      taskset -c "$1" bash -c 'for n in {1..20}; do /bin/true; done
      for n in {1..10}; do : <>"/dev/tcp/$0/22"; done' "$2"
      """;

  private static final String CALLED = NodeAddress.NODE1.v4();

  private final QuietCluster cluster;
  private final Cores cores;
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger done = new AtomicInteger();
  private final Thread thread = Thread.ofPlatform().name("job mix").unstarted(this::run);
  private volatile @Nullable RuntimeException failure;

  private JobMix(QuietCluster cluster, Cores cores) {
    this.cluster = cluster;
    this.cores = cores;
  }

  /** Begins; returns when one job of each kind has come and gone. */
  static JobMix begin(QuietCluster cluster, Cores cores) {
    var mix = new JobMix(cluster, cores);
    mix.once();
    mix.thread.start();
    return mix;
  }

  private void run() {
    try {
      long next = System.nanoTime();
      while (!end.await(next - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        once();
        next += EVERY.toNanos();
      }
    } catch (RigException | BenchFailedException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void once() {
    ours(FIRST_OF_OURS + done.get());
    theirs();
    done.incrementAndGet();
  }

  private void ours(long number) {
    String job = Long.toString(number);
    String user = User.ALICE.login();
    cluster.own().rollcall("job", "begin", job, "--user", user).outOrThrow("rollcall job begin");
    cluster
        .own()
        .rollcall("job", "run", "--job", job, "--", "sh", "-c", STEP, "sh", cores.others(), CALLED)
        .outOrThrow("a step of ours");
    cluster.login().exec(User.ALICE, "ssh", cluster.own().name(), "true").outOrThrow("ssh");
    cluster.own().rollcall("job", "end", job, "--grace", "0").outOrThrow("rollcall job end");
  }

  private void theirs() {
    long job = cluster.slurm().submit(User.ALICE, List.of(cluster.slurms()));
    cluster
        .slurm()
        .step(cluster.slurms(), job, User.ALICE, "sh", "-c", STEP, "sh", cores.others(), CALLED)
        .await(STEP_WITHIN)
        .outOrThrow("a step of Slurm's");
    cluster.slurm().cancel(List.of(job));
  }

  /** How many jobs of each kind have come and gone. */
  int done() {
    RuntimeException failed = failure;
    if (failed != null) {
      throw new BenchFailedException(
          "the job mix: " + failed.getMessage() + "; " + cluster.logs(), failed);
    }
    return done.get();
  }

  @Override
  public void close() {
    end.countDown();
    try {
      thread.join(STEP_WITHIN.multipliedBy(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
