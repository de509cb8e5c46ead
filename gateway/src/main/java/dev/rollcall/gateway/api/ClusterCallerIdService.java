package dev.rollcall.gateway.api;

import dev.rollcall.gateway.limit.IdentityLimits;
import dev.rollcall.gateway.limit.RateLimitInterceptor;
import dev.rollcall.gateway.route.CallsWatched;
import dev.rollcall.gateway.route.Identifier;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.ProcessAnswer;
import dev.rollcall.model.ProcessOnNode;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.proto.v1.IdentifyProcessRequest;
import dev.rollcall.proto.v1.IdentifyProcessResponse;
import dev.rollcall.proto.v1.IdentifyProcessesRequest;
import dev.rollcall.proto.v1.IdentifyProcessesResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.proto.v1.WatchCallsRequest;
import dev.rollcall.proto.v1.WatchCallsResponse;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.ProcessMapper;
import dev.rollcall.wire.grpc.ManyQuestions;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Serves CallerIdService for the whole cluster. */
public final class ClusterCallerIdService extends CallerIdServiceGrpc.CallerIdServiceImplBase {
  private static final int QUESTIONS_AT_ONCE = 256;
  private static final int WATCHED_WAITING = 10_000;

  /** Questions about processes in one request. */
  private static final int MOST_PROCESSES = 1_000;

  private final Identifier identifier;
  private final ProcessLookup processes;
  private final CallsWatched watched;
  private final MemoryBudget memory;

  public ClusterCallerIdService(
      Identifier identifier, ProcessLookup processes, CallsWatched watched, MemoryBudget memory) {
    this.processes = processes;
    this.memory = memory;
    this.identifier = identifier;
    this.watched = watched;
  }

  @Override
  public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> responses) {
    ServiceReplies.once(
        responses,
        asker ->
            identify(
                    asker,
                    CallerMapper.toModel(request.getConnection(), "connection"),
                    ServiceReplies.patience(Identifier.PATIENCE, Identifier.LONGEST))
                .thenApply(answer ->
                    IdentifyResponse.newBuilder().setAnswer(CallerMapper.toProto(answer)).build()));
  }

  private CompletableFuture<CallerAnswer> identify(
      Principal asker, Connection call, Duration patience) {
    return asker.mayAsk(call)
        ? identifier
            .identify(call, Identifier.Asker.CLIENT, Identifier.ANY_AGE, patience)
            .thenApply(asker::seen)
        : CompletableFuture.completedFuture(Principal.notThere());
  }

  @Override
  public StreamObserver<IdentifyManyRequest> identifyMany(
      StreamObserver<IdentifyManyResponse> responses) {
    Principal asker = AuthorizationInterceptor.current();
    IdentityLimits.Allowance allowance = RateLimitInterceptor.current();
    return new ManyQuestions(
        responses,
        QUESTIONS_AT_ONCE,
        call -> {
          allowance.question();
          return identify(asker, call, Identifier.PATIENCE);
        },
        ServiceReplies::refusal);
  }

  @Override
  public void identifyProcess(
      IdentifyProcessRequest request, StreamObserver<IdentifyProcessResponse> responses) {
    ServiceReplies.once(
        responses,
        asker ->
            processes
                .find(asker, List.of(ProcessMapper.toModel(request)))
                .thenApply(answers ->
                    IdentifyProcessResponse.newBuilder()
                        .setAnswer(ProcessMapper.toProto(answers.getFirst(), Instant.now()))
                        .build()));
  }

  @Override
  public void identifyProcesses(
      IdentifyProcessesRequest request, StreamObserver<IdentifyProcessesResponse> responses) {
    IdentityLimits.Allowance allowance = RateLimitInterceptor.current();
    ServiceReplies.once(
        responses,
        asker ->
            processes
                .find(asker, questions(request, allowance))
                .thenApply(ClusterCallerIdService::response));
  }

  /** Each process counts as a question; the call itself has counted as the first. */
  private static List<ProcessOnNode> questions(
      IdentifyProcessesRequest request, IdentityLimits.Allowance allowance) {
    if (request.getProcessesCount() > MOST_PROCESSES) {
      throw new BadWordException(
          "processes", request.getProcessesCount() + " are more than " + MOST_PROCESSES);
    }
    var questions = new ArrayList<ProcessOnNode>();
    for (int i = 0; i < request.getProcessesCount(); i++) {
      questions.add(ProcessMapper.toModel(request.getProcesses(i), "processes[" + i + "]"));
      if (i > 0) {
        allowance.question();
      }
    }
    return questions;
  }

  private static IdentifyProcessesResponse response(List<ProcessAnswer> answers) {
    Instant now = Instant.now();
    return IdentifyProcessesResponse.newBuilder()
        .addAllAnswers(answers.stream().map(answer -> ProcessMapper.toProto(answer, now)).toList())
        .build();
  }

  @Override
  public void watchCalls(WatchCallsRequest request, StreamObserver<WatchCallsResponse> responses) {
    Principal asker = AuthorizationInterceptor.current();
    ServiceReplies.stream(
        responses,
        WATCHED_WAITING,
        memory,
        out ->
            watched.watch(pushed -> {
              int uid = pushed.call().getCaller().getUid();
              if ((!request.hasUid() || request.getUid() == uid)
                  && asker.mayWatch(pushed.connection(), uid)) {
                out.send(
                    WatchCallsResponse.newBuilder()
                        .setConnection(pushed.call().getConnection())
                        .setCaller(pushed.call().getCaller())
                        .setToldAt(CallerMapper.timestamp(Instant.now()))
                        .build());
              }
            }));
  }
}
