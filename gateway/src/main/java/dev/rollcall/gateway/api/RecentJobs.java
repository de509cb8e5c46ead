package dev.rollcall.gateway.api;

import dev.rollcall.gateway.work.Workers;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.JobEntry;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Shares one copy of all jobs, at most a second old, among all lists and watchers. */
public final class RecentJobs {
  static final Comparator<JobEntry> BY_JOB_AND_NODE =
      Comparator.comparing((JobEntry entry) -> entry.job().id())
          .thenComparing(entry -> entry.node().text());

  /**
   * The jobs as they were read.
   *
   * @param number grows with each read
   * @param all in the order of job and node
   * @param byUid the same of each owner
   */
  record Copy(long number, List<JobEntry> all, Map<Integer, List<JobEntry>> byUid) {
    /** Those of this owner, or of all. */
    List<JobEntry> of(Optional<Integer> uid) {
      return uid.map(owner -> byUid.getOrDefault(owner, List.of())).orElse(all);
    }
  }

  private final Roll roll;
  private final Workers workers;
  private final SharedCopy<Copy> copy;
  private long reads;

  public RecentJobs(Roll roll, Workers workers) {
    this(roll, workers, System::nanoTime);
  }

  RecentJobs(Roll roll, Workers workers, LongSupplier nanoClock) {
    this.roll = roll;
    this.workers = workers;
    this.copy = new SharedCopy<>(this::read, workers, nanoClock);
  }

  /** Reads are not concurrent. */
  private Copy read() {
    List<JobEntry> all = roll.jobs().stream().sorted(BY_JOB_AND_NODE).toList();
    return new Copy(
        ++reads, all, all.stream().collect(Collectors.groupingBy(entry -> entry.job().uid())));
  }

  /** Runs this with the copy, on a worker. */
  <T> CompletableFuture<T> use(Function<Copy, T> work) {
    return copy.get().thenCompose(jobs -> workers.run(() -> work.apply(jobs)));
  }
}
