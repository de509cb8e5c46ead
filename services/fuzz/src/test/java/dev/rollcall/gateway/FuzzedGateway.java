package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.identity.NamedCertificates;
import dev.rollcall.gateway.limit.Rates;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Roll;
import dev.rollcall.proto.roll.v1.Answer;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.ProcessesAnswer;
import dev.rollcall.proto.roll.v1.RollServiceGrpc;
import dev.rollcall.proto.roll.v1.StateComplete;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.testkit.roll.InMemoryGateways;
import dev.rollcall.testkit.roll.InMemoryRoll;
import dev.rollcall.testkit.roll.SettableClock;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.JobMapper;
import dev.rollcall.wire.NodeMapper;
import dev.rollcall.wire.grpc.InThisProcess;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.RawCall;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.pace.Rate;
import dev.rollcall.wire.tls.TlsFiles;
import io.grpc.MethodDescriptor;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A gateway on loopback with its roll in memory, to which one node is connected, with one job and a
 * call.
 */
public final class FuzzedGateway implements AutoCloseable {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  static final String CLUSTER = GatewayConfig.DEFAULTS.cluster();
  private static final NodeName NODE = new NodeName("node1");
  private static final Endpoint HERE = Endpoint.parse("10.77.0.1:4242");
  private static final Connection CALL = Connection.tcp(HERE, Endpoint.parse("10.77.0.2:22"));
  private static final JobStep STEP = new JobStep(new JobId(7), StepId.of(0));
  private static final JobProcess PROCESS =
      new JobProcess(new ProcessRef(4242, 99), STEP.step(), "sleep");
  private static final Rates NO_LIMITS = new Rates(1_000_000_000, 1_000_000_000, 1_000_000_000);

  public final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final Context loop = vertx.getOrCreateContext();
  private final InMemoryGateways mails = new InMemoryGateways();
  private final InMemoryRoll roll = new InMemoryRoll(new SettableClock());
  private final Path directory;
  private final GatewayWiring gateway;
  private final InThisProcess services;
  private RawCall<ConnectResponse> node;

  /** Without TLS. */
  public FuzzedGateway() throws IOException {
    this(Optional.empty());
  }

  /**
   * @param tls what it shows to clients, each of which needs a certificate; absent: no TLS
   */
  FuzzedGateway(Optional<TlsFiles> tls) throws IOException {
    directory = Files.createTempDirectory("rollcall-fuzz");
    var defaults = GatewayConfig.DEFAULTS;
    var anyPort = new HostPort("127.0.0.1", 0);
    var config =
        new GatewayConfig(
            CLUSTER,
            anyPort,
            new HostPort("gate0", 7450),
            List.of(),
            defaults.memberListen(),
            false,
            tls,
            new MetricsPlace.Port(anyPort),
            defaults.lease(),
            defaults.keepCalls(),
            Optional.empty(),
            defaults.squeueEvery(),
            directory.resolve("audit.jsonl"),
            new GatewayConfig.Offered(false, false, Optional.empty(), Optional.empty()),
            new TrustConfig(
                NamedCertificates.NONE,
                Set.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Duration.ofHours(12),
                Optional.empty(),
                NO_LIMITS));
    gateway =
        new GatewayWiring(
            vertx,
            config,
            "0.1.0",
            roll,
            mails.start("gate0:7450"),
            new Rate(NO_LIMITS.node(), NO_LIMITS.node()));
    ended(gateway.start());
    Peer root =
        tls.isPresent()
            ? new Peer.Certified(
                "",
                Set.of(HERE.address()),
                Set.of("rollcall://" + CLUSTER + "/node/node1"),
                Instant.MAX)
            : new Peer.Anonymous("127.0.0.1:1");
    services = InThisProcess.serve("gateway " + directory, gateway.served(), root, loop);
    node = connect();
  }

  /** The port on which it is served. */
  public String address() {
    return Integer.toString(gateway.port());
  }

  /** Bytes that its peers hold. */
  public long held() {
    return gateway.held();
  }

  <R> RawCall<R> call(MethodDescriptor<?, R> method) {
    return RawCall.of(loop, services.channel(), method);
  }

  /** A stream that has said who it is, and was welcomed. */
  RawCall<ConnectResponse> welcomed(
      NodeName name, Endpoint address, Consumer<ConnectResponse> hear) {
    var said =
        new Roll.NodeDescription(
            new NodeEpoch(name, "boot", 1), Set.of(address.address()), "", "0.1.0", "sock_ops");
    RawCall<ConnectResponse> stream =
        RawCall.of(loop, services.channel(), RollServiceGrpc.getConnectMethod(), hear);
    stream.say(
        ConnectRequest.newBuilder()
            .setHello(NodeMapper.hello(CLUSTER, said))
            .build()
            .toByteArray());
    assertTrue(stream.first().hasWelcome(), name::text);
    return stream;
  }

  private RawCall<ConnectResponse> connect() {
    RawCall<ConnectResponse> stream = welcomed(NODE, HERE, this::answer);
    var job = new Job(STEP.job(), 2001, 2001, NOON, JobState.OPEN);
    for (var told : JobMapper.told(job, NODE, "", List.of(PROCESS), NOON)) {
      stream.say(ConnectRequest.newBuilder().setJob(told).build().toByteArray());
    }
    stream.say(
        ConnectRequest.newBuilder()
            .setStateComplete(StateComplete.getDefaultInstance())
            .build()
            .toByteArray());
    return stream;
  }

  /** What the gateway asks the node is answered at once. */
  private void answer(ConnectResponse asked) {
    if (asked.hasQuestion()) {
      var unknown = CallerMapper.toProto(new CallerAnswer.Unknown("nobody"));
      var answer =
          Answer.newBuilder().setQuestionId(asked.getQuestion().getQuestionId()).setAnswer(unknown);
      node.say(ConnectRequest.newBuilder().setAnswer(answer).build().toByteArray());
    } else if (asked.hasProcessesQuestion()) {
      var answer =
          ProcessesAnswer.newBuilder()
              .setQuestionId(asked.getProcessesQuestion().getQuestionId())
              .setObservedAt(CallerMapper.timestamp(NOON))
              .addProcesses(JobMapper.listedOnNode(PROCESS));
      node.say(ConnectRequest.newBuilder().setProcessesAnswer(answer).build().toByteArray());
    }
  }

  /** What those who watch may want to hear of. */
  void happen() {
    var caller =
        new Caller(CLUSTER, NODE, new Membership.InJob(STEP), 2001, PROCESS.process(), NOON);
    var told = NodeMapper.announcement(new Call(CALL, caller), 1, 1);
    node.say(ConnectRequest.newBuilder().setAnnouncement(told).build().toByteArray());
  }

  /** As it was at first, whoever said what of any node. */
  public void anew() {
    node.cancel();
    node.end();
    roll.forget();
    node = connect();
  }

  private static void ended(Future<?> future) {
    future.toCompletionStage().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() throws IOException {
    services.close();
    ended(gateway.stop());
    ended(vertx.close());
    mails.close();
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
