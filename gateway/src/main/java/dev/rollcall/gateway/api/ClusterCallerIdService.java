package dev.rollcall.gateway.api;

import dev.rollcall.gateway.limit.IdentityLimits;
import dev.rollcall.gateway.limit.RateLimitInterceptor;
import dev.rollcall.gateway.route.CallsWatched;
import dev.rollcall.gateway.route.Identifier;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyManyRequest;
import dev.rollcall.proto.v1.IdentifyManyResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.proto.v1.WatchCallsRequest;
import dev.rollcall.proto.v1.WatchCallsResponse;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.grpc.ManyQuestions;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** CallerIdService for the whole cluster. */
public final class ClusterCallerIdService extends CallerIdServiceGrpc.CallerIdServiceImplBase {
  private static final int QUESTIONS_AT_ONCE = 256;
  private static final int WATCHED_WAITING = 10_000;

  private final Identifier identifier;
  private final CallsWatched watched;
  private final MemoryBudget memory;

  public ClusterCallerIdService(Identifier identifier, CallsWatched watched, MemoryBudget memory) {
    this.memory = memory;
    this.identifier = identifier;
    this.watched = watched;
  }

  @Override
  public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> responses) {
    Principal asker = AuthorizationInterceptor.current();
    ServiceReplies.once(
        responses,
        () ->
            identify(
                    asker,
                    CallerMapper.toModel(request.getConnection(), "connection"),
                    ServiceReplies.patience(Identifier.PATIENCE))
                .thenApply(answer ->
                    IdentifyResponse.newBuilder().setAnswer(CallerMapper.toProto(answer)).build()));
  }

  private CompletableFuture<CallerAnswer> identify(
      Principal asker, Connection call, Duration patience) {
    return asker.mayAsk(call)
        ? identifier.identify(call, patience).thenApply(asker::seen)
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
          allowance
              .question()
              .ifPresent(refused -> {
                throw refused.exception();
              });
          return identify(asker, call, Identifier.PATIENCE);
        },
        ServiceReplies::refusal);
  }

  @Override
  public void watchCalls(WatchCallsRequest request, StreamObserver<WatchCallsResponse> responses) {
    Principal asker = AuthorizationInterceptor.current();
    ServiceReplies.stream(
        responses,
        WATCHED_WAITING,
        memory,
        out ->
            watched.watch(call -> {
              int uid = call.getCaller().getUid();
              if ((!request.hasUid() || request.getUid() == uid)
                  && asker.mayWatch(
                      CallerMapper.toModel(call.getConnection(), "connection"), uid)) {
                out.send(
                    WatchCallsResponse.newBuilder()
                        .setConnection(call.getConnection())
                        .setCaller(call.getCaller())
                        .setToldAt(CallerMapper.timestamp(Instant.now()))
                        .build());
              }
            }));
  }
}
