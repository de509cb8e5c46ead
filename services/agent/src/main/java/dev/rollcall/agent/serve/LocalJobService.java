package dev.rollcall.agent.serve;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.BeginResponse;
import dev.rollcall.proto.v1.BeginStepRequest;
import dev.rollcall.proto.v1.BeginStepResponse;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc.JobServiceStub;
import dev.rollcall.proto.v1.LimitRequest;
import dev.rollcall.proto.v1.LimitResponse;
import dev.rollcall.proto.v1.ListLeftoversRequest;
import dev.rollcall.proto.v1.ListLeftoversResponse;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListProcessesResponse;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.ResumeRequest;
import dev.rollcall.proto.v1.ResumeResponse;
import dev.rollcall.proto.v1.SetDevicesRequest;
import dev.rollcall.proto.v1.SetDevicesResponse;
import dev.rollcall.proto.v1.SuspendRequest;
import dev.rollcall.proto.v1.SuspendResponse;
import dev.rollcall.proto.v1.WatchRequest;
import dev.rollcall.proto.v1.WatchResponse;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.proto.v1.WatchUsageResponse;
import dev.rollcall.wire.AllocationMapper;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.grpc.CallContext;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Jobs: changed on this node by root, seen in the whole cluster while this node is connected.
 *
 * @param stepBegun receives the job of each new step
 * @param orders carries out what waits long
 */
record LocalJobService(
    LocalJobs local,
    JobChanges changes,
    Upstream upstream,
    Workers workers,
    Watchers<Job> watchers,
    UsageCalls usage,
    Consumer<JobId> stepBegun,
    LongOrders orders)
    implements JobServiceGrpc.AsyncService {
  /**
   * Where calls are carried out that may wait.
   *
   * @param changes for root's orders
   * @param readers for what anybody may ask
   */
  record Workers(WorkerExecutor changes, WorkerExecutor readers) {}

  @Override
  public void begin(BeginRequest request, StreamObserver<BeginResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          asker.requireRoot("begin a job");
          var spec = JobChanges.spec(request);
          return quickly(() -> changes.begin(spec));
        });
  }

  /** Root's order about a job. */
  private static <R> void order(
      StreamObserver<R> client, String what, long job, Function<JobId, Future<R>> order) {
    GrpcReplies.once(
        client,
        asker -> {
          asker.requireRoot(what);
          return order.apply(CallerMapper.jobId(job, "job_id"));
        });
  }

  @Override
  public void end(EndRequest request, StreamObserver<EndResponse> client) {
    order(
        client,
        "end a job",
        request.getJobId(),
        id -> {
          var order = changes.order(request);
          Optional<Integer> uid =
              request.hasUid() ? Optional.of(request.getUid()) : Optional.empty();
          return orders.runInSteps(
              id, orGivenUp(() -> changes.end(id, uid, order)), JobChanges::ended);
        });
  }

  /**
   * Drops an order whose client cancelled it, or whose deadline passed, before the order began: the
   * client got no reply and may have sent another order. Within the service's method.
   */
  private static <R> Supplier<R> orGivenUp(Supplier<R> work) {
    Context call = Context.current();
    return () -> {
      if (call.isCancelled()) {
        throw Refusal.plain(
            Status.CANCELLED, "the client had disconnected before the order was carried out");
      }
      return work.get();
    };
  }

  /** Where root's orders wait for each other, for milliseconds. */
  private <R> Future<R> quickly(Supplier<R> order) {
    Supplier<R> wanted = orGivenUp(order);
    return workers.changes().executeBlocking(wanted::get, false);
  }

  /** Runs an order that waits long, on a thread of its own. */
  private <R> Future<R> patiently(JobId job, Supplier<R> order) {
    return orders.run(job, orGivenUp(order));
  }

  @Override
  public void suspend(SuspendRequest request, StreamObserver<SuspendResponse> client) {
    order(
        client,
        "suspend a job",
        request.getJobId(),
        id -> patiently(id, () -> changes.suspend(id)));
  }

  @Override
  public void resume(ResumeRequest request, StreamObserver<ResumeResponse> client) {
    order(
        client, "resume a job", request.getJobId(), id -> patiently(id, () -> changes.resume(id)));
  }

  @Override
  public void beginStep(BeginStepRequest request, StreamObserver<BeginStepResponse> client) {
    order(
        client,
        "begin a step",
        request.getJobId(),
        id -> {
          var step = JobChanges.step(request.getStep());
          var limits = AllocationMapper.toModel(request.getLimits(), "limits");
          var devices = AllocationMapper.toModel(request.getDevices(), "devices");
          return quickly(() -> changes.beginStep(id, step, limits, devices))
              .onSuccess(_ -> stepBegun.accept(id));
        });
  }

  @Override
  public void limit(LimitRequest request, StreamObserver<LimitResponse> client) {
    order(
        client,
        "change limits",
        request.getJobId(),
        id -> {
          var step = JobChanges.step(request.getStep());
          var limits = AllocationMapper.toModel(request.getLimits(), "limits");
          return quickly(() -> changes.limit(id, step, limits));
        });
  }

  @Override
  public void setDevices(SetDevicesRequest request, StreamObserver<SetDevicesResponse> client) {
    order(
        client,
        "change rules about devices",
        request.getJobId(),
        id -> {
          var step = JobChanges.step(request.getStep());
          var devices = AllocationMapper.toModel(request.getDevices(), "devices");
          return quickly(() -> changes.devices(id, step, devices));
        });
  }

  @Override
  public void get(GetRequest request, StreamObserver<GetResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          JobId id = CallerMapper.jobId(request.getJobId(), "job_id");
          return upstream.askOr(
              asker,
              JobServiceGrpc.getGetMethod(),
              request,
              () -> Future.succeededFuture(getHere(asker, id)));
        });
  }

  private GetResponse getHere(SocketUser asker, JobId id) {
    var response = GetResponse.newBuilder();
    local.visibleTo(asker).stream()
        .filter(job -> job.id().equals(id))
        .forEach(job -> response.addJobs(local.message(job)));
    return response.build();
  }

  @Override
  public void list(ListRequest request, StreamObserver<ListResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          return request.getNode().equals(local.node().text())
              ? Future.succeededFuture(listHere(asker, request))
              : upstream.askOr(
                  asker,
                  JobServiceGrpc.getListMethod(),
                  request,
                  () ->
                      request.getPageToken().isEmpty()
                          ? Future.succeededFuture(listHere(asker, request))
                          : Future.failedFuture(noRest()));
        });
  }

  /** The first parts are of the cluster. */
  private static StatusRuntimeException noRest() {
    return Refusal.plain(Status.UNAVAILABLE, "no gateway has the rest of the list");
  }

  private ListResponse listHere(SocketUser asker, ListRequest request) {
    var response = ListResponse.newBuilder();
    boolean elsewhere =
        !request.getNode().isEmpty() && !request.getNode().equals(local.node().text());
    if (!elsewhere) {
      local.visibleTo(asker).stream()
          .filter(job -> !request.hasUid() || request.getUid() == job.uid())
          .forEach(job -> response.addJobs(local.message(job)));
    }
    return response.build();
  }

  @Override
  public void listProcesses(
      ListProcessesRequest request, StreamObserver<ListProcessesResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          JobId id = CallerMapper.jobId(request.getJobId(), "job_id");
          return upstream.askOr(
              asker,
              JobServiceGrpc.getListProcessesMethod(),
              request,
              () -> workers.readers().executeBlocking(() -> processesHere(asker, id), false));
        });
  }

  private ListProcessesResponse processesHere(SocketUser asker, JobId id) {
    var response = ListProcessesResponse.newBuilder();
    local
        .find(id)
        .filter(job -> asker.may(job.uid()))
        .ifPresent(_ -> response.addNodes(local.processes(id)));
    return response.build();
  }

  @Override
  public void listLeftovers(
      ListLeftoversRequest request, StreamObserver<ListLeftoversResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          asker.requireRoot("list what a job left");
          List<JobId> wanted =
              request.getJobId() == 0
                  ? local.ending()
                  : List.of(CallerMapper.jobId(request.getJobId(), "job_id"));
          return workers.readers().executeBlocking(() -> local.leftovers(wanted), false);
        });
  }

  @Override
  public void getUsage(GetUsageRequest request, StreamObserver<GetUsageResponse> client) {
    usage.get(request, client);
  }

  @Override
  public void watchUsage(WatchUsageRequest request, StreamObserver<WatchUsageResponse> client) {
    usage.watch(request, (ServerCallStreamObserver<WatchUsageResponse>) client);
  }

  @Override
  public void watch(WatchRequest request, StreamObserver<WatchResponse> observer) {
    var client = (ServerCallStreamObserver<WatchResponse>) observer;
    SocketUser asker = SocketUser.current();
    Context call = Watchers.callOf(client);
    Relay<WatchRequest, WatchResponse> relay = Relay.to(client);
    upstream
        .channel(asker)
        .onSuccess(channel -> {
          if (channel.isPresent()) {
            JobServiceStub gateway = JobServiceGrpc.newStub(channel.get());
            relay.pass(request, gateway::watch, call);
          } else {
            CallContext.executor(call).execute(() -> watchHere(asker, request, client, call));
          }
        })
        .onFailure(cause -> client.onError(GrpcReplies.refusal(cause)));
  }

  private void watchHere(
      SocketUser asker,
      WatchRequest request,
      ServerCallStreamObserver<WatchResponse> client,
      Context call) {
    Predicate<Job> wanted =
        job -> asker.may(job.uid()) && (!request.hasUid() || request.getUid() == job.uid());
    Function<Job, WatchResponse> message =
        job -> WatchResponse.newBuilder().setJob(local.message(job)).build();
    local.jobs().list().stream().filter(wanted).map(message).forEach(client::onNext);
    watchers.add(client, call, wanted, message);
  }
}
