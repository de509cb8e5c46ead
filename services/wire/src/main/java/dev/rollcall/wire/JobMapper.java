package dev.rollcall.wire;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobLabel;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.Leftover;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.proto.roll.v1.JobFact;
import dev.rollcall.proto.roll.v1.JobOnNode;
import dev.rollcall.proto.roll.v1.ListedJobProcess;
import dev.rollcall.proto.v1.LeftoverKind;
import dev.rollcall.proto.v1.ListedProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Maps jobs and their processes between proto and model. */
public final class JobMapper {
  /**
   * So that one message stays far below {@link dev.rollcall.wire.grpc.MessageLimits#MESSAGE_BYTES}.
   */
  static final int PROCESSES_IN_ONE_MESSAGE = 4_000;

  private JobMapper() {}

  /** The wire also names node and user; they are not part of the model's job. */
  public static Job toModel(dev.rollcall.proto.v1.Job from, String field) {
    return new Job(
        CallerMapper.jobId(from.getJobId(), field + ".job_id"),
        from.getUid(),
        from.getGid(),
        CallerMapper.instant(from.getStartedAt(), field + ".started_at"),
        switch (from.getState()) {
          case JOB_STATE_BEGINNING -> JobState.BEGINNING;
          case JOB_STATE_OPEN -> JobState.OPEN;
          case JOB_STATE_SUSPENDED -> JobState.SUSPENDED;
          case JOB_STATE_CLOSING -> JobState.CLOSING;
          case JOB_STATE_CLOSED -> JobState.CLOSED;
          case JOB_STATE_UNSPECIFIED, UNRECOGNIZED ->
              throw new BadWordException(
                  field + ".state", from.getStateValue() + " is not a state of a job");
        },
        new JobLabel(from.getBatchId(), from.getName()));
  }

  /**
   * @param user the owner's name on that node, empty if it has none
   */
  public static dev.rollcall.proto.v1.Job toProto(
      Job from, NodeName node, String user, boolean stale) {
    return dev.rollcall.proto.v1.Job.newBuilder()
        .setJobId(from.id().number())
        .setNode(node.text())
        .setUid(from.uid())
        .setGid(from.gid())
        .setUser(user)
        .setState(toProto(from.state()))
        .setStartedAt(CallerMapper.timestamp(from.startedAt()))
        .setStale(stale)
        .setBatchId(from.label().batchId())
        .setName(from.label().name())
        .build();
  }

  public static dev.rollcall.proto.v1.JobState toProto(JobState from) {
    return switch (from) {
      case BEGINNING -> dev.rollcall.proto.v1.JobState.JOB_STATE_BEGINNING;
      case OPEN -> dev.rollcall.proto.v1.JobState.JOB_STATE_OPEN;
      case SUSPENDED -> dev.rollcall.proto.v1.JobState.JOB_STATE_SUSPENDED;
      case CLOSING -> dev.rollcall.proto.v1.JobState.JOB_STATE_CLOSING;
      case CLOSED -> dev.rollcall.proto.v1.JobState.JOB_STATE_CLOSED;
    };
  }

  /**
   * A job with all its processes, as a node tells it: one message, or several when the processes do
   * not fit in one. The first is {@code whole}, the others add to it.
   */
  public static List<JobOnNode> told(
      Job job, NodeName node, String user, List<JobProcess> processes, Instant observedAt) {
    var messages = new ArrayList<JobOnNode>();
    int from = 0;
    do {
      int to = Math.min(from + PROCESSES_IN_ONE_MESSAGE, processes.size());
      var message =
          JobOnNode.newBuilder()
              .setJob(toProto(job, node, user, false))
              .setObservedAt(CallerMapper.timestamp(observedAt))
              .setWhole(from == 0);
      processes.subList(from, to).forEach(process -> message.addProcesses(member(process)));
      messages.add(message.build());
      from = to;
    } while (from < processes.size());
    return messages;
  }

  /** As an event of a node carries it: without the command, which the roll does not keep. */
  public static dev.rollcall.proto.roll.v1.JobProcess member(JobProcess from) {
    return dev.rollcall.proto.roll.v1.JobProcess.newBuilder()
        .setProcess(CallerMapper.toProto(from.process()))
        .setStep(from.step().text())
        .build();
  }

  public static JobProcess toModel(dev.rollcall.proto.roll.v1.JobProcess from, String field) {
    return new JobProcess(
        CallerMapper.toModel(from.getProcess(), field + ".process"),
        CallerMapper.step(from.getStep(), field + ".step"),
        "");
  }

  /** As a node lists it when it is asked. */
  public static ListedJobProcess listedOnNode(JobProcess from) {
    return ListedJobProcess.newBuilder()
        .setProcess(CallerMapper.toProto(from.process()))
        .setStep(from.step().text())
        .setCommand(from.command())
        .build();
  }

  /** As clients see it. */
  public static dev.rollcall.proto.v1.Leftover toProto(JobId job, Leftover from) {
    return dev.rollcall.proto.v1.Leftover.newBuilder()
        .setJobId(job.number())
        .setKind(
            switch (from.kind()) {
              case JOB -> LeftoverKind.LEFTOVER_KIND_JOB;
              case PROCESS -> LeftoverKind.LEFTOVER_KIND_PROCESS;
              case CGROUP -> LeftoverKind.LEFTOVER_KIND_CGROUP;
              case NAMESPACE -> LeftoverKind.LEFTOVER_KIND_NAMESPACE;
              case DIRECTORY -> LeftoverKind.LEFTOVER_KIND_DIRECTORY;
            })
        .setName(from.name())
        .build();
  }

  public static ListedProcess listed(JobProcess from) {
    return ListedProcess.newBuilder()
        .setProcess(CallerMapper.toProto(from.process()))
        .setStep(from.step().text())
        .setCommand(from.command())
        .build();
  }

  /** What a batch system says of a job; its allocation is not told. */
  public static JobFact fact(JobSpec from) {
    return JobFact.newBuilder()
        .setJobId(from.id().number())
        .setUid(from.uid())
        .setGid(from.gid())
        .setStartedAt(CallerMapper.timestamp(from.startedAt()))
        .build();
  }

  public static JobSpec toModel(JobFact from, String field) {
    return new JobSpec(
        CallerMapper.jobId(from.getJobId(), field + ".job_id"),
        from.getUid(),
        from.getGid(),
        CallerMapper.instant(from.getStartedAt(), field + ".started_at"));
  }
}
