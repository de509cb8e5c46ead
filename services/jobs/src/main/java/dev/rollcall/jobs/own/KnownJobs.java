package dev.rollcall.jobs.own;

import dev.rollcall.jobs.JobList;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The jobs of this node.
 *
 * @param byId each until its end is over, and who holds an id meanwhile
 * @param list what others see of them
 */
record KnownJobs(Map<JobId, NativeJob> byId, JobList list) {
  static KnownJobs none() {
    return new KnownJobs(new ConcurrentHashMap<>(), new JobList());
  }

  Optional<Job> find(JobId id) {
    return Optional.ofNullable(byId.get(id)).map(NativeJob::job);
  }
}
