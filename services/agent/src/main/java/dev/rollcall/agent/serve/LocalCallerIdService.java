package dev.rollcall.agent.serve;

import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.model.Call;
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
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.ProcessMapper;
import dev.rollcall.wire.grpc.ManyQuestions;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Answers questions about callers: from this node's table where the caller's end is here, else from
 * the gateway.
 *
 * @param readers where processes are read
 */
record LocalCallerIdService(
    Bus bus,
    Upstream upstream,
    Predicate<InetAddress> isOwn,
    Watchers<Call> watchers,
    LocalProcessLookup processes,
    WorkerExecutor readers)
    implements CallerIdServiceGrpc.AsyncService {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int QUESTIONS_AT_ONCE = 32;

  @Override
  public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> client) {
    GrpcReplies.once(
        client,
        asker ->
            identify(asker, CallerMapper.toModel(request.getConnection(), "connection"))
                .map(answer ->
                    IdentifyResponse.newBuilder().setAnswer(CallerMapper.toProto(answer)).build()));
  }

  private Future<CallerAnswer> identify(SocketUser asker, Connection call) {
    boolean here = call.local().staysOnNode() || isOwn.test(call.local().address());
    Future<CallerAnswer> answer =
        here
            ? bus.ask(Queries.CALLER_LOCAL_FOR_USER, call, Bus.AT_ONCE)
            : fromTheGateway(asker, call);
    return answer.map(found -> allowed(asker, found));
  }

  /** What a user may not see looks like what nobody knows. */
  private static CallerAnswer allowed(SocketUser asker, CallerAnswer answer) {
    return switch (answer) {
      case CallerAnswer.Found(var caller) when asker.may(caller.uid()) -> answer;
      case CallerAnswer.Unknown _ when asker.root() -> answer;
      case CallerAnswer.Unreachable _ -> answer;
      case CallerAnswer.Found _, CallerAnswer.Unknown _ ->
          new CallerAnswer.Unknown("no caller of yours is known for this connection");
    };
  }

  private Future<CallerAnswer> fromTheGateway(SocketUser asker, Connection call) {
    var request = IdentifyRequest.newBuilder().setConnection(CallerMapper.toProto(call)).build();
    return upstream
        .ask(asker, CallerIdServiceGrpc.getIdentifyMethod(), request, PATIENCE)
        .map(response -> CallerMapper.toModel(response.getAnswer(), "answer"))
        .recover(LocalCallerIdService::unreachable);
  }

  /** Only a gateway that cannot be asked is unreachable; what it refuses, it refuses. */
  private static Future<CallerAnswer> unreachable(Throwable cause) {
    Status status = Status.fromThrowable(cause);
    return switch (status.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED ->
          Future.succeededFuture(
              new CallerAnswer.Unreachable(String.valueOf(status.getDescription())));
      default -> Future.failedFuture(cause);
    };
  }

  @Override
  public StreamObserver<IdentifyManyRequest> identifyMany(
      StreamObserver<IdentifyManyResponse> client) {
    SocketUser asker = SocketUser.current();
    return new ManyQuestions(
        client,
        QUESTIONS_AT_ONCE,
        call -> identify(asker, call).toCompletionStage(),
        GrpcReplies::refusal);
  }

  /** For a process of another node the gateway decides what the user may see. */
  @Override
  public void identifyProcess(
      IdentifyProcessRequest request, StreamObserver<IdentifyProcessResponse> client) {
    GrpcReplies.once(
        client,
        asker -> {
          ProcessOnNode question = ProcessMapper.toModel(request);
          return processes.isHere(question.node())
              ? readers.executeBlocking(() -> response(processes.find(asker, question)), false)
              : upstream.ask(
                  asker, CallerIdServiceGrpc.getIdentifyProcessMethod(), request, PATIENCE);
        });
  }

  private static IdentifyProcessResponse response(ProcessAnswer answer) {
    return IdentifyProcessResponse.newBuilder()
        .setAnswer(ProcessMapper.toProto(answer, Clock.systemUTC().instant()))
        .build();
  }

  @Override
  public void identifyProcesses(
      IdentifyProcessesRequest request, StreamObserver<IdentifyProcessesResponse> client) {
    upstream.pass(client, CallerIdServiceGrpc.getIdentifyProcessesMethod(), request, PATIENCE);
  }

  @Override
  public void watchCalls(WatchCallsRequest request, StreamObserver<WatchCallsResponse> observer) {
    var client = (ServerCallStreamObserver<WatchCallsResponse>) observer;
    SocketUser asker = SocketUser.current();
    watchers.add(
        client,
        Watchers.callOf(client),
        call ->
            asker.may(call.caller().uid())
                && (!request.hasUid() || request.getUid() == call.caller().uid()),
        call ->
            WatchCallsResponse.newBuilder()
                .setConnection(CallerMapper.toProto(call.connection()))
                .setCaller(CallerMapper.toProto(call.caller()))
                .setToldAt(CallerMapper.timestamp(Clock.systemUTC().instant()))
                .build());
  }
}
