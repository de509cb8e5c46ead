package dev.rollcall.cli;

import dev.rollcall.proto.v1.AdoptRequest;
import dev.rollcall.proto.v1.AdoptResponse;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.BeginRequest;
import dev.rollcall.proto.v1.BeginResponse;
import dev.rollcall.proto.v1.BeginStepRequest;
import dev.rollcall.proto.v1.BeginStepResponse;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.ChooseForCallRequest;
import dev.rollcall.proto.v1.ChooseForCallResponse;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.ExplainRequest;
import dev.rollcall.proto.v1.ExplainResponse;
import dev.rollcall.proto.v1.GetRequest;
import dev.rollcall.proto.v1.GetResponse;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.IdentifyProcessRequest;
import dev.rollcall.proto.v1.IdentifyProcessResponse;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.proto.v1.IdentifyResponse;
import dev.rollcall.proto.v1.IssueTokenRequest;
import dev.rollcall.proto.v1.IssueTokenResponse;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.LimitRequest;
import dev.rollcall.proto.v1.LimitResponse;
import dev.rollcall.proto.v1.ListLeftoversRequest;
import dev.rollcall.proto.v1.ListLeftoversResponse;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesResponse;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListProcessesResponse;
import dev.rollcall.proto.v1.ListRequest;
import dev.rollcall.proto.v1.ListResponse;
import dev.rollcall.proto.v1.ListSessionsRequest;
import dev.rollcall.proto.v1.ListSessionsResponse;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.ResumeRequest;
import dev.rollcall.proto.v1.ResumeResponse;
import dev.rollcall.proto.v1.SetDevicesRequest;
import dev.rollcall.proto.v1.SetDevicesResponse;
import dev.rollcall.proto.v1.SuspendRequest;
import dev.rollcall.proto.v1.SuspendResponse;
import dev.rollcall.proto.v1.SwitchRequest;
import dev.rollcall.proto.v1.SwitchResponse;
import dev.rollcall.proto.v1.TokenServiceGrpc;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import dev.rollcall.proto.v1.WatchUsageRequest;
import dev.rollcall.proto.v1.WatchUsageResponse;
import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.local.LocalServices;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * An agent and gateway in one, on a real socket by the real wire. It answers what it was told to,
 * by the type of the request, and keeps the requests.
 */
final class FakeRollcall implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 20;

  final BlockingQueue<Object> requests = new LinkedBlockingQueue<>();
  private final Map<Class<?>, Object> answers = new ConcurrentHashMap<>();
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final List<ServerServiceDefinition> services =
      List.of(
          new Callers().bindService(),
          new Jobs().bindService(),
          new Adoptions().bindService(),
          new Nodes().bindService(),
          new Tokens().bindService());
  private final PeerBounds bounds =
      PeerBounds.ofAgent(PeerBounds.agentMemory(new SimpleMeterRegistry()));

  FakeRollcall listenOn(Path socket) {
    await(new LocalServices(vertx, services, bounds).listen(socket, "rw-rw-rw-"));
    return this;
  }

  /** Returns the port on 127.0.0.1. */
  int listenOnLoopback() {
    return await(
            new GrpcServices(vertx, services, KeepAlive.CALM, Optional.empty(), bounds)
                .listenTcp("127.0.0.1", 0, Optional.empty(), Certificates.REQUIRED))
        .port();
  }

  /**
   * @param answer a message, or a {@link Status} to fail with
   */
  FakeRollcall answer(Class<?> request, Object answer) {
    answers.put(request, answer);
    return this;
  }

  private <A> void serve(Object request, Class<A> type, StreamObserver<A> client) {
    requests.add(request);
    Object answer = answers.get(request.getClass());
    switch (answer) {
      case null -> {} // Says nothing, for ever.
      case Status status -> client.onError(status.asRuntimeException());
      default -> {
        client.onNext(type.cast(answer));
        client.onCompleted();
      }
    }
  }

  @Override
  public void close() {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private final class Callers extends CallerIdServiceGrpc.CallerIdServiceImplBase {
    @Override
    public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> client) {
      serve(request, IdentifyResponse.class, client);
    }

    @Override
    public void identifyProcess(
        IdentifyProcessRequest request, StreamObserver<IdentifyProcessResponse> client) {
      serve(request, IdentifyProcessResponse.class, client);
    }
  }

  private final class Jobs extends JobServiceGrpc.JobServiceImplBase {
    @Override
    public void begin(BeginRequest request, StreamObserver<BeginResponse> client) {
      serve(request, BeginResponse.class, client);
    }

    @Override
    public void end(EndRequest request, StreamObserver<EndResponse> client) {
      serve(request, EndResponse.class, client);
    }

    @Override
    public void limit(LimitRequest request, StreamObserver<LimitResponse> client) {
      serve(request, LimitResponse.class, client);
    }

    @Override
    public void setDevices(SetDevicesRequest request, StreamObserver<SetDevicesResponse> client) {
      serve(request, SetDevicesResponse.class, client);
    }

    @Override
    public void suspend(SuspendRequest request, StreamObserver<SuspendResponse> client) {
      serve(request, SuspendResponse.class, client);
    }

    @Override
    public void resume(ResumeRequest request, StreamObserver<ResumeResponse> client) {
      serve(request, ResumeResponse.class, client);
    }

    @Override
    public void beginStep(BeginStepRequest request, StreamObserver<BeginStepResponse> client) {
      serve(request, BeginStepResponse.class, client);
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListResponse> client) {
      serve(request, ListResponse.class, client);
    }

    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> client) {
      serve(request, GetResponse.class, client);
    }

    @Override
    public void getUsage(GetUsageRequest request, StreamObserver<GetUsageResponse> client) {
      serve(request, GetUsageResponse.class, client);
    }

    @Override
    public void watchUsage(WatchUsageRequest request, StreamObserver<WatchUsageResponse> client) {
      serve(request, WatchUsageResponse.class, client);
    }

    @Override
    public void listLeftovers(
        ListLeftoversRequest request, StreamObserver<ListLeftoversResponse> client) {
      serve(request, ListLeftoversResponse.class, client);
    }

    @Override
    public void listProcesses(
        ListProcessesRequest request, StreamObserver<ListProcessesResponse> client) {
      serve(request, ListProcessesResponse.class, client);
    }
  }

  private final class Adoptions extends AdoptionServiceGrpc.AdoptionServiceImplBase {
    @Override
    public void adopt(AdoptRequest request, StreamObserver<AdoptResponse> client) {
      serve(request, AdoptResponse.class, client);
    }

    @Override
    public void chooseForCall(
        ChooseForCallRequest request, StreamObserver<ChooseForCallResponse> client) {
      serve(request, ChooseForCallResponse.class, client);
    }

    @Override
    public void listSessions(
        ListSessionsRequest request, StreamObserver<ListSessionsResponse> client) {
      serve(request, ListSessionsResponse.class, client);
    }

    @Override
    public void explain(ExplainRequest request, StreamObserver<ExplainResponse> client) {
      serve(request, ExplainResponse.class, client);
    }

    @Override
    public void predict(PredictRequest request, StreamObserver<PredictResponse> client) {
      serve(request, PredictResponse.class, client);
    }

    @Override
    public void switch_(SwitchRequest request, StreamObserver<SwitchResponse> client) {
      serve(request, SwitchResponse.class, client);
    }

    @Override
    public void watchAdoptions(
        WatchAdoptionsRequest request, StreamObserver<WatchAdoptionsResponse> client) {
      serve(request, WatchAdoptionsResponse.class, client);
    }
  }

  private final class Tokens extends TokenServiceGrpc.TokenServiceImplBase {
    @Override
    public void issueToken(IssueTokenRequest request, StreamObserver<IssueTokenResponse> client) {
      serve(request, IssueTokenResponse.class, client);
    }
  }

  private final class Nodes extends NodeServiceGrpc.NodeServiceImplBase {
    @Override
    public void listOutsideProcesses(
        ListOutsideProcessesRequest request, StreamObserver<ListOutsideProcessesResponse> client) {
      serve(request, ListOutsideProcessesResponse.class, client);
    }

    @Override
    public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> client) {
      serve(request, ListNodesResponse.class, client);
    }
  }
}
