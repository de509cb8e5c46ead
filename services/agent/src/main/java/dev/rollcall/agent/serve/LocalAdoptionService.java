package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionMapper;
import dev.rollcall.agent.event.AdoptionsWanted;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.ChoiceResult;
import dev.rollcall.agent.event.Deadline;
import dev.rollcall.agent.event.JobChosen;
import dev.rollcall.agent.event.Prediction;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.RememberedAdoption;
import dev.rollcall.model.JobId;
import dev.rollcall.model.Membership;
import dev.rollcall.port.Processes;
import dev.rollcall.proto.v1.AdoptRequest;
import dev.rollcall.proto.v1.AdoptResponse;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.ChooseForCallRequest;
import dev.rollcall.proto.v1.ChooseForCallResponse;
import dev.rollcall.proto.v1.ExplainRequest;
import dev.rollcall.proto.v1.ExplainResponse;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.ListAdoptionsResponse;
import dev.rollcall.proto.v1.ListSessionsRequest;
import dev.rollcall.proto.v1.ListSessionsResponse;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.Session;
import dev.rollcall.proto.v1.SwitchRequest;
import dev.rollcall.proto.v1.SwitchResponse;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import dev.rollcall.wire.AdoptionsListed;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.grpc.CallContext;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Explains this node's adoptions, moves processes as users ask, and takes their choices. */
record LocalAdoptionService(
    Bus bus,
    LocalJobs local,
    Upstream upstream,
    Processes processes,
    Moves moves,
    CallChoosing choosing,
    WorkerExecutor workers,
    Watchers<Adoption> watchers)
    implements AdoptionServiceGrpc.AsyncService {
  /** The time for a list: /proc is read for each session. */
  private static final Duration FOR_JOBS_NOW = Duration.ofSeconds(2);

  @Override
  public void adopt(AdoptRequest request, StreamObserver<AdoptResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          Moves.Move move = move(request, asker);
          moves.admit(asker);
          return workers
              .executeBlocking(() -> moves.carryOut(asker, move), false)
              .map(step -> AdoptResponse.newBuilder().setJob(CallerMapper.toProto(step)).build());
        });
  }

  private static Moves.Move move(AdoptRequest request, SocketUser asker) {
    var into = CallerMapper.jobId(request.getJobId(), "job_id");
    if (!request.hasProcess()) {
      return new Moves.Move(asker.pid(), OptionalLong.empty(), into);
    }
    int pid = request.getProcess().getPid();
    if (pid < 1) {
      throw new BadWordException("process.pid", pid + " is not positive");
    }
    return new Moves.Move(pid, OptionalLong.of(request.getProcess().getStartTime()), into);
  }

  @Override
  public void listSessions(
      ListSessionsRequest request, StreamObserver<ListSessionsResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          Optional<Integer> wanted =
              request.hasUid() ? Optional.of(request.getUid()) : Optional.empty();
          Optional<Integer> uid = asker.root() ? wanted : Optional.of(asker.uid());
          if (!wanted.map(asker::may).orElse(true)) {
            return Future.succeededFuture(ListSessionsResponse.getDefaultInstance());
          }
          Optional<JobId> job = job(request.getJobId());
          var asked = new AdoptionsWanted(Optional.empty(), uid, job);
          return bus.ask(Queries.ADOPTIONS_LISTED, asked, Bus.AT_ONCE)
              .compose(found -> workers.executeBlocking(() -> sessions(found), false));
        });
  }

  /** Root sees all, others their own. */
  private static Optional<Integer> whose(SocketUser asker) {
    return asker.root() ? Optional.empty() : Optional.of(asker.uid());
  }

  private static Optional<JobId> job(long number) {
    return number == 0 ? Optional.empty() : Optional.of(CallerMapper.jobId(number, "job_id"));
  }

  private ListSessionsResponse sessions(List<RememberedAdoption> found) {
    var response = ListSessionsResponse.newBuilder();
    Deadline looking = Deadline.in(FOR_JOBS_NOW);
    for (RememberedAdoption each : found) {
      boolean live = mayBeIn(each) && processes.runs(each.process());
      response.addSessions(
          Session.newBuilder()
              .setAdoption(AdoptionMapper.message(each.adoption(), local.node()))
              .setLive(live)
              .addAllJobsNow(live && !looking.passed() ? jobsNow(each) : Set.of()));
    }
    return response.build();
  }

  /** Without an id: the last one of the asking user; for root, of anybody. */
  @Override
  public void explain(ExplainRequest request, StreamObserver<ExplainResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          Optional<String> id =
              Optional.of(request.getAdoptionId()).filter(text -> !text.isEmpty());
          var wanted = new AdoptionsWanted(id, whose(asker), Optional.empty());
          return bus.ask(Queries.ADOPTIONS_LISTED, wanted, Bus.AT_ONCE)
              .map(found -> found.stream().findFirst().orElseThrow(() -> notRemembered(id)))
              .compose(found -> workers.executeBlocking(() -> explained(found), false));
        });
  }

  private ExplainResponse explained(RememberedAdoption found) {
    return ExplainResponse.newBuilder()
        .setAdoption(AdoptionMapper.message(found.adoption(), local.node()))
        .addAllJobsNow(jobsNow(found))
        .build();
  }

  /** Where the processes of a session are that its user began: sshd's own stay. */
  private Set<Long> jobsNow(RememberedAdoption session) {
    return mayBeIn(session)
        ? processes.below(session.process(), session.adoption().uid()).stream()
            .map(local.jobs()::membershipOf)
            .flatMap(Optional::stream)
            .map(Membership::jobStep)
            .flatMap(Optional::stream)
            .map(step -> step.job().number())
            .collect(Collectors.toCollection(TreeSet::new))
        : Set.of();
  }

  /** One that the agent could not decide may be admitted by the PAM line. */
  private static boolean mayBeIn(RememberedAdoption session) {
    return session.adoption().outcome() != Adoption.Outcome.DENIED;
  }

  private static RuntimeException notRemembered(Optional<String> id) {
    return Refusal.plain(
        Status.NOT_FOUND,
        id.map(text -> "no adoption '" + text + "' is remembered on this node")
            .orElse("no session is remembered on this node"));
  }

  @Override
  public void predict(PredictRequest request, StreamObserver<PredictResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          String here = local.node().text();
          if (!asker.may(request.getUid())) {
            throw Refusal.plain(Status.PERMISSION_DENIED, "you may ask only about yourself");
          }
          if (!request.getNode().isEmpty() && !request.getNode().equals(here)) {
            return upstream.ask(
                asker, AdoptionServiceGrpc.getPredictMethod(), request, Upstream.PATIENCE);
          }
          return bus.ask(Queries.ADOPTION_PREDICTED, request.getUid(), Prediction.PATIENCE)
              .map(made -> AdoptionMapper.message(made, local.node()));
        });
  }

  @Override
  public void switch_(SwitchRequest request, StreamObserver<SwitchResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          Optional<JobId> job = job(request.getJobId());
          moves.admit(asker);
          return bus.ask(Queries.JOB_CHOSEN, new JobChosen(asker.uid(), job), Bus.AT_ONCE)
              .compose(this::switched);
        });
  }

  @Override
  public void chooseForCall(
      ChooseForCallRequest request, StreamObserver<ChooseForCallResponse> client) {
    GrpcReplies.once(
        client, asker -> choosing.choose(asker, CallerMapper.jobId(request.getJobId(), "job_id")));
  }

  private Future<SwitchResponse> switched(ChoiceResult result) {
    return switch (result) {
      case ChoiceResult.Kept(var job) ->
          Future.succeededFuture(SwitchResponse.newBuilder().setJob(local.message(job)).build());
      case ChoiceResult.TakenBack() -> Future.succeededFuture(SwitchResponse.getDefaultInstance());
      case ChoiceResult.NoSuchJob() ->
          Future.failedFuture(Refusal.plain(Status.NOT_FOUND, "you have no such job on this node"));
    };
  }

  /** Lists the decisions of this node. The gateway has those of other nodes. */
  @Override
  public void listAdoptions(
      ListAdoptionsRequest request, StreamObserver<ListAdoptionsResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          String here = local.node().text();
          if (request.getNode().isEmpty() || request.getNode().equals(here)) {
            var wanted = AdoptionsListed.by(request);
            return remembered(asker).map(found -> wanted.of(found.stream()));
          }
          return upstream.ask(
              asker, AdoptionServiceGrpc.getListAdoptionsMethod(), request, Upstream.PATIENCE);
        });
  }

  /** The newest first. */
  private Future<List<dev.rollcall.proto.v1.Adoption>> remembered(SocketUser asker) {
    return bus.ask(Queries.ADOPTIONS_LISTED, AdoptionsWanted.of(whose(asker)), Bus.AT_ONCE)
        .map(found ->
            found.stream()
                .map(each -> AdoptionMapper.message(each.adoption(), local.node()))
                .toList());
  }

  @Override
  public void watchAdoptions(
      WatchAdoptionsRequest request, StreamObserver<WatchAdoptionsResponse> observer) {
    var client = (ServerCallStreamObserver<WatchAdoptionsResponse>) observer;
    SocketUser asker = SocketUser.current();
    Context call = Watchers.callOf(client);
    try {
      int recent = AdoptionsListed.recent(request);
      if (recent == 0) {
        watch(asker, request, client, call, Set.of());
        return;
      }
      remembered(asker)
          .onSuccess(found ->
              CallContext.executor(call)
                  .execute(() -> {
                    List<dev.rollcall.proto.v1.Adoption> first =
                        found.stream()
                            .filter(each -> !request.hasUid() || request.getUid() == each.getUid())
                            .limit(recent)
                            .toList();
                    first.reversed().forEach(each -> client.onNext(message(each)));
                    watch(asker, request, client, call, ids(found));
                  }))
          .onFailure(cause -> client.onError(GrpcReplies.refusal(cause)));
    } catch (BadWordException e) {
      client.onError(e.refusal());
    }
  }

  /**
   * A decision is stored before it is published, so one from the list may arrive again; it is
   * dropped.
   */
  private static Set<String> ids(List<dev.rollcall.proto.v1.Adoption> adoptions) {
    return adoptions.stream()
        .map(dev.rollcall.proto.v1.Adoption::getAdoptionId)
        .collect(Collectors.toUnmodifiableSet());
  }

  private void watch(
      SocketUser asker,
      WatchAdoptionsRequest request,
      ServerCallStreamObserver<WatchAdoptionsResponse> client,
      Context call,
      Set<String> told) {
    watchers.add(
        client,
        call,
        adoption ->
            asker.may(adoption.uid())
                && (!request.hasUid() || request.getUid() == adoption.uid())
                && !told.contains(adoption.id()),
        adoption -> message(AdoptionMapper.message(adoption, local.node())));
  }

  private static WatchAdoptionsResponse message(dev.rollcall.proto.v1.Adoption adoption) {
    return WatchAdoptionsResponse.newBuilder().setAdoption(adoption).build();
  }
}
