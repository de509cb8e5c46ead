package dev.rollcall.jobs.slurm;

import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.UsageRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The OOM kills of one job that were found so far. A kill is its step's; if only the job's cgroup
 * counted it, as of a step that is gone, it is reported for the extern step. Thread-safe.
 */
final class SlurmOomKills {
  /** By where they were counted: a step, or the job. */
  private final Map<Optional<StepId>, Long> found = new HashMap<>();

  private boolean fromBefore;

  /** The job ran before this agent: what its first look finds was reported. */
  synchronized void beganBefore() {
    fromBefore = true;
  }

  /**
   * Returns those that no earlier look found.
   *
   * @param records of the job, which was read first, and of its steps; may be none
   */
  synchronized List<Incident> look(JobId job, List<UsageRecord> records) {
    List<Incident> more = new ArrayList<>();
    for (UsageRecord each : records.reversed()) {
      long known = each.step().isPresent() ? found.getOrDefault(each.step(), 0L) : total();
      long times = each.usage().oomKills().orElse(0) - known;
      if (times > 0) {
        found.merge(each.step(), times, Long::sum);
        JobStep step = new JobStep(job, each.step().orElse(StepId.EXTERN));
        more.add(
            new Incident(
                Incident.Kind.OOM_KILL,
                step,
                OptionalLong.empty(),
                times,
                Instant.now(),
                "the kernel killed a process for lack of memory"));
      }
    }
    boolean reported = fromBefore;
    fromBefore &= records.isEmpty();
    return reported ? List.of() : more;
  }

  /** All that were found, those of steps that are gone too. */
  synchronized long total() {
    return found.values().stream().mapToLong(Long::longValue).sum();
  }
}
