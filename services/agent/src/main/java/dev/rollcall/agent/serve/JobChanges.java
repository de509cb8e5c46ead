package dev.rollcall.agent.serve;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.SessionSetup;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.LimitResult;
import dev.rollcall.port.Jobs.StateResult;
import dev.rollcall.port.Jobs.StepResult;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.BeginResponse;
import dev.rollcall.proto.v1.BeginStepResponse;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.LimitResponse;
import dev.rollcall.proto.v1.ResumeResponse;
import dev.rollcall.proto.v1.SetDevicesResponse;
import dev.rollcall.proto.v1.SuspendResponse;
import dev.rollcall.wire.AllocationMapper;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.Refusal;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Begins, stops and ends this node's jobs. On worker threads; requests were checked before.
 *
 * @param grace of an end that does not say its own
 */
record JobChanges(LocalJobs local, Duration grace) {
  private static final Duration TO_KILL = Duration.ofSeconds(30);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  static Jobs.JobSpec spec(BeginRequest request) {
    Instant start =
        request.hasStartedAt()
            ? CallerMapper.instant(request.getStartedAt(), "started_at")
            : Clock.systemUTC().instant();
    return new Jobs.JobSpec(
        CallerMapper.jobId(request.getJobId(), "job_id"),
        request.getUid(),
        request.getGid(),
        start,
        AllocationMapper.toModel(request.getAllocation(), "allocation"),
        Optional.of(request.getContainer()).filter(name -> !name.isEmpty()));
  }

  BeginResponse begin(Jobs.JobSpec spec) {
    return switch (local.jobs().begin(spec)) {
      case BeginResult.Begun(Job job) ->
          BeginResponse.newBuilder().setJob(local.message(job)).build();
      case BeginResult.Refused(String reason) -> throw refused(reason);
    };
  }

  Jobs.EndOrder order(EndRequest request) {
    Duration toEnd = request.hasGrace() ? bounded(request.getGrace(), "grace") : grace;
    Duration wait =
        request.hasWait() ? bounded(request.getWait(), "wait") : atMost(toEnd.plus(TO_KILL));
    return new Jobs.EndOrder(request.getMessage(), toEnd, wait);
  }

  private static Duration bounded(com.google.protobuf.Duration from, String field) {
    Duration wait = CallerMapper.duration(from, field);
    if (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0) {
      throw new BadWordException(field, wait + " is not within 0 and " + LONGEST_WAIT);
    }
    return wait;
  }

  private static Duration atMost(Duration wait) {
    return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
  }

  /**
   * Ends a job. Another owner's is refused.
   *
   * @param uid empty: of any owner
   */
  Jobs.EndInSteps end(JobId id, Optional<Integer> uid, Jobs.EndOrder order) {
    uid.flatMap(meant -> local.find(id).filter(job -> job.uid() != meant))
        .ifPresent(JobChanges::refuseOthers);
    return local.jobs().endInSteps(id, order);
  }

  private static void refuseOthers(Job job) {
    throw refused(
        "job %s belongs to uid %s here: it was not ended"
            .formatted(job.id(), Integer.toUnsignedString(job.uid())));
  }

  static EndResponse ended(EndResult result) {
    return switch (result) {
      case EndResult.Clean(int killed) ->
          EndResponse.newBuilder().setClean(true).setKilled(killed).build();
      case EndResult.NoSuchJob() -> EndResponse.newBuilder().setClean(true).setAbsent(true).build();
      case EndResult.Unclean(int killed, var remaining, String reason) -> {
        var response = EndResponse.newBuilder().setKilled(killed).setReason(reason);
        remaining.forEach(process -> response.addRemaining(JobMapper.listed(process)));
        yield response.build();
      }
    };
  }

  SuspendResponse suspend(JobId id) {
    StateResult.Reached suspended = reached(id, local.jobs().suspend(id));
    return SuspendResponse.newBuilder()
        .setJob(local.message(suspended.job()))
        .setWaiting(suspended.waiting())
        .build();
  }

  ResumeResponse resume(JobId id) {
    Job job = reached(id, local.jobs().resume(id)).job();
    return ResumeResponse.newBuilder().setJob(local.message(job)).build();
  }

  private static StateResult.Reached reached(JobId id, StateResult result) {
    return switch (result) {
      case StateResult.Reached reached -> reached;
      case StateResult.Refused(String reason) -> throw refused(reason);
      case StateResult.NoSuchJob() ->
          throw Refusal.plain(Status.NOT_FOUND, "job " + id + " is not on this node");
    };
  }

  static Optional<StepId> step(String step) {
    return step.isEmpty() ? Optional.empty() : Optional.of(CallerMapper.step(step, "step"));
  }

  BeginStepResponse beginStep(JobId id, Optional<StepId> step, Limits limits, DeviceRules devices) {
    Job job = local.find(id).orElseThrow(() -> refused("job " + id + " is not on this node"));
    return switch (local.jobs().beginStep(id, step, limits, devices)) {
      case StepResult.Made(var made, var procsFiles, var setup, var container) -> {
        var response =
            BeginStepResponse.newBuilder()
                .setStep(CallerMapper.toProto(made))
                .setUid(job.uid())
                .setGid(job.gid());
        procsFiles.forEach(file -> response.addProcsFiles(file.toString()));
        response.putAllEnvironment(local.environment().of(withNumbers(made, setup)));
        response.putAllEnvironment(setup.display());
        response.putAllEnvironment(container.environment());
        container
            .namespaces()
            .forEach((name, file) -> response.putNamespaces(name, file.toString()));
        setup.rlimits().forEach(rlimit -> response.addRlimits(AllocationMapper.toProto(rlimit)));
        yield response.build();
      }
      case StepResult.Refused(String reason) -> throw refused(reason);
    };
  }

  /**
   * As Slurm names them: a site may want them for its programs, although those of MPI then take
   * Rollcall for Slurm.
   */
  private static Map<String, String> withNumbers(JobStep step, SessionSetup setup) {
    Map<String, String> variables = new HashMap<>(setup.environment());
    for (String name : List.of("SLURM_JOB_ID", "SLURM_JOBID")) {
      variables.put(name, step.job().toString());
    }
    for (String name : List.of("SLURM_STEP_ID", "SLURM_STEPID")) {
      variables.put(name, step.step().text());
    }
    return variables;
  }

  LimitResponse limit(JobId id, Optional<StepId> step, Limits limits) {
    Limits now = changed(local.jobs().limit(id, step, limits), id, step);
    return LimitResponse.newBuilder().setLimits(AllocationMapper.toProto(now)).build();
  }

  SetDevicesResponse devices(JobId id, Optional<StepId> step, DeviceRules devices) {
    var _ = changed(local.jobs().devices(id, step, devices), id, step);
    return SetDevicesResponse.getDefaultInstance();
  }

  private static Limits changed(LimitResult result, JobId id, Optional<StepId> step) {
    return switch (result) {
      case LimitResult.Changed(Limits now) -> now;
      case LimitResult.Refused(String reason) -> throw refused(reason);
      case LimitResult.NotHere() ->
          throw Refusal.plain(
              Status.NOT_FOUND,
              step.map(each -> "step " + id + "." + each).orElse("job " + id)
                  + " is not on this node");
    };
  }

  private static StatusRuntimeException refused(String reason) {
    return Refusal.plain(Status.FAILED_PRECONDITION, reason);
  }
}
