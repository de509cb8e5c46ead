package dev.rollcall.agent.serve;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.port.Jobs;
import dev.rollcall.proto.v1.ListLeftoversResponse;
import dev.rollcall.proto.v1.NodeProcesses;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * This node's jobs as clients see them.
 *
 * @param environment which of a job's variables its steps get
 */
record LocalJobs(
    Jobs jobs, NodeName node, IntFunction<String> userName, EnvironmentAllowList environment) {
  /**
   * In one answer: users make processes, and answers that nobody reads are kept in the heap. About
   * 40 bytes each.
   */
  static final int MOST_PROCESSES = 10_000;

  /** More than a person reads. */
  private static final int MOST_LEFTOVERS = 1_000;

  dev.rollcall.proto.v1.Job message(Job job) {
    return JobMapper.toProto(job, node, userName.apply(job.uid()), false);
  }

  List<Job> visibleTo(SocketUser asker) {
    return jobs.list().stream().filter(job -> asker.may(job.uid())).toList();
  }

  Optional<Job> find(JobId id) {
    return jobs.list().stream().filter(job -> job.id().equals(id)).findFirst();
  }

  /** The jobs whose processes are being ended. */
  List<JobId> ending() {
    return jobs.list().stream()
        .filter(job -> job.state() == JobState.CLOSING)
        .map(Job::id)
        .toList();
  }

  /**
   * At most {@link #MOST_LEFTOVERS} of these jobs. On a worker thread.
   *
   * @throws IOException if it cannot be found out
   */
  ListLeftoversResponse leftovers(List<JobId> ids) throws IOException {
    var message = ListLeftoversResponse.newBuilder();
    for (JobId id : ids) {
      jobs.leftovers(id).stream()
          .limit(MOST_LEFTOVERS - message.getLeftoversCount())
          .forEach(each -> message.addLeftovers(JobMapper.toProto(id, each)));
    }
    return message.build();
  }

  /** At most {@link #MOST_PROCESSES} of a job. On a worker thread. */
  NodeProcesses processes(JobId id) {
    List<JobProcess> found = jobs.processes(id);
    var message =
        NodeProcesses.newBuilder()
            .setNode(node.text())
            .setObservedAt(CallerMapper.timestamp(Clock.systemUTC().instant()))
            .setLive(true);
    found.stream()
        .limit(MOST_PROCESSES)
        .forEach(process -> message.addProcesses(JobMapper.listed(process)));
    return message.build();
  }
}
