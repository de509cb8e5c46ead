package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.JobUsage;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.proto.v1.WatchUsageResponse;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.UsageMapper;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.vertx.core.WorkerExecutor;

/** Answers owners and root about the usage and incidents of jobs on this node. */
final class UsageCalls {
  /** One event, and whose it is. */
  private record Told(JobId job, int uid, WatchUsageResponse message) {}

  private final LocalJobs local;
  private final WorkerExecutor workers;
  private final Watchers<Told> watchers = new Watchers<>();

  UsageCalls(LocalJobs local, WorkerExecutor workers) {
    this.local = local;
    this.workers = workers;
  }

  void get(GetUsageRequest request, StreamObserver<GetUsageResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          JobId id = CallerMapper.jobId(request.getJobId(), "job_id");
          Job job = local.find(id).filter(it -> asker.may(it.uid())).orElseThrow(() -> notHere(id));
          return workers.executeBlocking(
              () ->
                  GetUsageResponse.newBuilder()
                      .addAllRecords(new JobUsage(local.jobs(), local.node()).of(job.id()))
                      .build(),
              false);
        });
  }

  private RuntimeException notHere(JobId id) {
    return Refusal.plain(Status.NOT_FOUND, "job " + id + " is not on node " + local.node());
  }

  void watch(WatchUsageRequest request, ServerCallStreamObserver<WatchUsageResponse> client) {
    SocketUser asker = SocketUser.current();
    long job = request.getJobId();
    watchers.add(
        client,
        Watchers.callOf(client),
        told -> asker.may(told.uid()) && (job == 0 || told.job().number() == job),
        Told::message);
  }

  void recorded(UsageRecord record) {
    var message =
        WatchUsageResponse.newBuilder().setRecord(UsageMapper.toProto(record, local.node()));
    watchers.tell(new Told(record.job(), record.uid(), message.build()));
  }

  /** For a job that is gone already, only root gets it. */
  void incident(Incident incident) {
    var message =
        WatchUsageResponse.newBuilder().setIncident(UsageMapper.toProto(incident, local.node()));
    JobId job = incident.step().job();
    watchers.tell(new Told(job, local.find(job).map(Job::uid).orElse(0), message.build()));
  }
}
