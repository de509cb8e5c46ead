package dev.rollcall.gateway.api;

import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.JobEntry;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.Job;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListProcessesResponse;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.WatchRequest;
import dev.rollcall.proto.v1.WatchResponse;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.proto.v1.WatchUsageResponse;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.Page;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/**
 * Serves the reading calls of JobService for the whole cluster. Jobs begin and end at their nodes.
 */
public final class ClusterJobService extends JobServiceGrpc.JobServiceImplBase {
  private static final int LONGEST_NUMBER = 20;
  private static final int CHANGES_WAITING = 100_000;
  private static final int RECORDS_WAITING = 10_000;

  private final Roll roll;
  private final Workers workers;
  private final RecentJobs recent;
  private final ProcessListing listing;
  private final UsageListing usage;
  private final JobsWatched watched;
  private final MemoryBudget memory;

  public ClusterJobService(
      Roll roll,
      Workers workers,
      RecentJobs recent,
      ProcessListing listing,
      UsageListing usage,
      JobsWatched watched,
      MemoryBudget memory) {
    this.memory = memory;
    this.roll = roll;
    this.workers = workers;
    this.recent = recent;
    this.listing = listing;
    this.usage = usage;
    this.watched = watched;
  }

  @Override
  public void get(GetRequest request, StreamObserver<GetResponse> responses) {
    ServiceReplies.once(
        responses,
        asker -> {
          JobId id = CallerMapper.jobId(request.getJobId(), "job_id");
          return workers.run(() ->
              GetResponse.newBuilder()
                  .setRestriction(asker.restriction())
                  .addAllJobs(
                      JobEntries.of(roll, id, asker).stream().map(entry -> toProto(entry)).toList())
                  .build());
        });
  }

  @Override
  public void list(ListRequest request, StreamObserver<ListResponse> responses) {
    Optional<Integer> uid = request.hasUid() ? Optional.of(request.getUid()) : Optional.empty();
    ServiceReplies.once(
        responses,
        asker -> {
          var page = Page.of(request.getPageSize(), request.getPageToken());
          return recent.use(jobs ->
              part(
                  asker,
                  page.of(
                      jobs.of(uid.or(asker::own)).stream()
                          .filter(entry -> asker.maySeeJob(entry.node(), entry.job().uid()))
                          .filter(entry -> isAt(entry, request.getNode()))
                          .toList(),
                      ClusterJobService::key)));
        });
  }

  private static boolean isAt(JobEntry entry, String node) {
    return node.isEmpty() || node.equals(entry.node().text());
  }

  private static ListResponse part(Principal asker, Page.Part<JobEntry> part) {
    return ListResponse.newBuilder()
        .setRestriction(asker.restriction())
        .addAllJobs(part.items().stream().map(entry -> toProto(entry)).toList())
        .setNextPageToken(part.nextToken())
        .build();
  }

  /** In the order of {@link RecentJobs#BY_JOB_AND_NODE}. */
  private static String key(JobEntry entry) {
    String number = Long.toUnsignedString(entry.job().id().number());
    return "0".repeat(LONGEST_NUMBER - number.length()) + number + " " + entry.node();
  }

  /** With the name that the job's own node has for its user. */
  static Job toProto(JobEntry entry) {
    return JobMapper.toProto(entry.job(), entry.node(), entry.user(), entry.stale());
  }

  @Override
  public void listProcesses(
      ListProcessesRequest request, StreamObserver<ListProcessesResponse> responses) {
    ServiceReplies.once(
        responses, asker -> listing.list(asker, CallerMapper.jobId(request.getJobId(), "job_id")));
  }

  @Override
  public void getUsage(GetUsageRequest request, StreamObserver<GetUsageResponse> responses) {
    ServiceReplies.once(
        responses, asker -> usage.list(asker, CallerMapper.jobId(request.getJobId(), "job_id")));
  }

  @Override
  public void watchUsage(WatchUsageRequest request, StreamObserver<WatchUsageResponse> responses) {
    Principal asker = AuthorizationInterceptor.current();
    ServiceReplies.stream(
        responses, RECORDS_WAITING, memory, out -> usage.watch(asker, request, out));
  }

  @Override
  public void watch(WatchRequest request, StreamObserver<WatchResponse> responses) {
    Principal asker = AuthorizationInterceptor.current();
    ServiceReplies.stream(
        responses,
        CHANGES_WAITING,
        memory,
        out ->
            watched.watch((node, job) -> {
              if (asker.maySeeJob(node, job.getUid())
                  && (!request.hasUid() || request.getUid() == job.getUid())) {
                out.send(WatchResponse.newBuilder().setJob(job).build());
              }
            }));
  }
}
