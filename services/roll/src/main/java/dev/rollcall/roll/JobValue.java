package dev.rollcall.roll;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.NodeEpoch;
import java.time.Instant;
import java.util.List;

/** The value of a job on a node in the Hazelcast map. */
record JobValue(
    NodeEpoch epoch, long registration, Job job, List<JobProcess> processes, Instant observedAt)
    implements Statement {
  JobValue {
    processes = List.copyOf(processes);
  }

  @Override
  public String node() {
    return epoch.node().text();
  }

  @Override
  public long rank() {
    return Times.nanos(observedAt);
  }
}
