package dev.rollcall.agent.event;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.model.usage.Measures;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.wire.UsageMapper;
import java.util.ArrayList;
import java.util.List;

/** What jobs of this node used, and what they are allotted here, as messages. Reads files. */
public record JobUsage(Jobs jobs, NodeName node) {
  /** The job, its steps and its sessions, in this order; empty for a job that is not here. */
  public List<UsageRecord> of(JobId id) {
    List<Measures> measured = new ArrayList<>();
    for (Job job : jobs.list()) {
      if (job.id().equals(id)) {
        jobs.measure(job, MeasureDepth.JOBS, each -> measured.add(each.measures()));
      }
    }
    Measures allotted = measured.isEmpty() ? new Measures() : measured.getFirst();
    return jobs.usage(id).stream()
        .map(record -> UsageMapper.toProto(record, node, allotted))
        .toList();
  }
}
