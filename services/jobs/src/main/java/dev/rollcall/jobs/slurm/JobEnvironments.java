package dev.rollcall.jobs.slurm;

import dev.rollcall.jobs.untrusted.UntrustedWork;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.Job;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the environments of batch scripts, once for a run of a job. An environment is in the memory
 * of a user's process, and the kernel gives it when nothing else changes that memory: for as long
 * as such a change hangs, reading waits, proc(5). Called under the job's lock.
 */
final class JobEnvironments {
  private static final Duration LONGEST = Duration.ofMillis(100);

  private final UntrustedWork memory =
      new UntrustedWork("environments", "sessions may lack the job's variables");
  private final Proc procfs;
  private final SlurmCgroups cgroups;

  JobEnvironments(Proc procfs, SlurmCgroups cgroups) {
    this.procfs = procfs;
    this.cgroups = cgroups;
  }

  /** Reads it if it is not known, and waits 100 ms at most. Empty if it is not found. */
  Map<String, String> of(SlurmJob job) {
    if (job.environment.isEmpty()) {
      found(job, memory.within(job.job(), LONGEST, reading(job)));
    }
    return job.environment.orElse(Map.of());
  }

  /** Begins to read it if it is not known. The job is published again once it is. */
  void seek(SlurmJob job) {
    if (job.environment.isPresent()) {
      return;
    }
    CompletableFuture<Optional<Map<String, String>>> reading = reading(job);
    var _ =
        reading.thenAccept(read ->
            job.locked(() -> {
              if (found(job, read)) {
                job.tellAgain();
              }
            }));
  }

  /** Reads the environment of one job. Callers that come meanwhile wait for the same result. */
  private CompletableFuture<Optional<Map<String, String>>> reading(SlurmJob job) {
    Job its = job.job();
    return job.environmentReading(() ->
        memory.begin(its, () -> new SlurmEnvironment(procfs, cgroups).of(its).orElse(Map.of())));
  }

  /** Whether that is news. */
  private static boolean found(SlurmJob job, Optional<Map<String, String>> read) {
    boolean news = job.environment.isEmpty() && read.filter(it -> !it.isEmpty()).isPresent();
    if (news) {
      job.has(read.orElseThrow());
    }
    return news;
  }
}
