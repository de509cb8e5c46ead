package dev.rollcall.gateway.api;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.JobEntry;
import java.util.List;

/** The places of one job. */
final class JobEntries {
  private JobEntries() {}

  /** Those that the asker may see, by node. On a worker. */
  static List<JobEntry> of(Roll roll, JobId job, Principal asker) {
    return roll.job(job).stream()
        .filter(entry -> asker.maySeeJob(entry.node(), entry.job().uid()))
        .sorted(RecentJobs.BY_JOB_AND_NODE)
        .toList();
  }
}
