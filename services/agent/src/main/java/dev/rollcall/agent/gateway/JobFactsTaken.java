package dev.rollcall.agent.gateway;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.Job;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.proto.roll.v1.JobFacts;
import dev.rollcall.wire.JobMapper;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;

/**
 * Takes what a gateway says of this node's jobs, as many facts at a time as one question asks for.
 * On the stage's context.
 */
final class JobFactsTaken {
  private static final System.Logger LOG = System.getLogger(JobFactsTaken.class.getName());

  private final Jobs jobs;
  private final WorkerExecutor readers;
  private final GatewayConnectionMeters meters;
  private int waiting;

  JobFactsTaken(Jobs jobs, WorkerExecutor readers, GatewayConnectionMeters meters) {
    this.jobs = jobs;
    this.readers = readers;
    this.meters = meters;
  }

  /** Of too many the further are dropped: the node asks again for what it still guesses. */
  void told(JobFacts from) {
    int count = from.getFactsCount();
    if (waiting + count > JobFactRequests.MOST_JOBS) {
      meters.factsLeft.increment(count);
      LOG.log(
          DEBUG,
          "{0} job facts are dropped: {1} wait already",
          Integer.toString(count),
          Integer.toString(waiting));
      return;
    }
    var facts = new ArrayList<JobSpec>();
    for (int i = 0; i < count; i++) {
      facts.add(JobMapper.toModel(from.getFacts(i), "job_facts.facts[" + i + "]"));
    }
    waiting += count;
    readers
        .executeBlocking(() -> {
          facts.forEach(this::take);
          return count;
        })
        .onComplete(_ -> waiting -= count)
        .onFailure(cause -> LOG.log(WARNING, "job facts from a gateway are lost", cause));
  }

  /** On a worker thread. Ignores facts of a job that has ended or that its prolog reported. */
  private void take(JobSpec fact) {
    switch (jobs.confirm(fact)) {
      case BeginResult.Begun(Job job) -> {
        meters.factsTaken.increment();
        LOG.log(DEBUG, "job {0} began {1}, by Slurm", job.id(), job.startedAt());
      }
      case BeginResult.Refused(String reason) -> {
        meters.factsLeft.increment();
        LOG.log(DEBUG, reason);
      }
    }
  }
}
