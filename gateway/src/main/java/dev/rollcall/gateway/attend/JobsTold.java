package dev.rollcall.gateway.attend;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.wire.JobWords;
import dev.rollcall.wire.Words;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one stream has told of its node's jobs: nodes tell changes, the roll takes whole lists. */
final class JobsTold {
  record Entry(Job job, List<JobProcess> processes, Instant observedAt) {}

  private final Map<JobId, Map<ProcessRef, JobProcess>> jobs = new HashMap<>();

  /** Returns the job as it now stands. */
  Entry told(JobOnNode message) {
    Job job = JobWords.toModel(message.getJob(), "job.job");
    Instant observedAt = Words.instant(message.getObservedAt(), "job.observed_at");
    Map<ProcessRef, JobProcess> processes =
        jobs.computeIfAbsent(job.id(), _ -> new LinkedHashMap<>());
    if (message.getWhole()) {
      processes.clear();
    }
    for (int i = 0; i < message.getGoneCount(); i++) {
      processes.remove(Words.toModel(message.getGone(i), "job.gone[" + i + "]"));
    }
    for (int i = 0; i < message.getProcessesCount(); i++) {
      JobProcess came = JobWords.toModel(message.getProcesses(i), "job.processes[" + i + "]");
      processes.put(came.process(), came);
    }
    return new Entry(job, List.copyOf(processes.values()), observedAt);
  }

  void gone(JobId job) {
    jobs.remove(job);
  }
}
