package dev.rollcall.load.lookup;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.gateway.Gateways;
import dev.rollcall.load.gateway.ProcessCost;
import dev.rollcall.load.gateway.Scratch;
import dev.rollcall.load.gateway.SimulatedNode;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.CallerIdServiceGrpc;
import dev.rollcall.proto.v1.IdentifyRequest;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.tls.TlsFiles;
import dev.rollcall.wire.tls.TlsIdentity;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Gateways whose roll has a node's calls, an echo beside them, and ways to ask each gateway. */
final class LookupRig implements AutoCloseable {
  static final Endpoint DESTINATION = Endpoint.parse("10.77.0.2:22");
  static final InetAddress SOURCE = InetAddress.ofLiteral(LookupIdentities.ADDRESS);
  private static final long WITHIN_SECONDS = 60;
  private static final long JOB = 42;

  /** What is told waits in the node's stream, and its heartbeats behind it. */
  private static final int TOLD_AT_ONCE = 100;

  private static final int UID = 1000;

  private final LookupCase shape;
  private final int calls;
  private final Optional<TlsFiles> asker;
  private final Gateways gateways;
  private final EchoProcess echo;
  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final SimulatedNode node;
  private final List<GrpcChannel> ways;

  private LookupRig(
      LookupCase shape, int calls, LookupIdentities files, Gateways gateways, EchoProcess echo) {
    this.shape = shape;
    this.calls = calls;
    this.asker = Optional.of(files.asker()).filter(_ -> shape.tls());
    this.gateways = gateways;
    this.echo = echo;
    this.ways = channels(asker);
    this.node =
        new SimulatedNode(
            vertx,
            new NodeName(LookupIdentities.NODE),
            SOURCE,
            List.of(() -> channels(Optional.of(files.node()).filter(_ -> shape.tls())).getFirst()),
            new Indifferent(),
            new java.util.Random(1));
  }

  private List<GrpcChannel> channels(Optional<TlsFiles> identity) {
    Optional<TlsIdentity> own = identity.map(TlsFiles::identity);
    return gateways.all().stream()
        .map(one -> GrpcChannel.tcp(vertx, "127.0.0.1", one.port(), own, KeepAlive.CALM))
        .toList();
  }

  static LookupRig raise(LookupCase shape, Bench bench, Scratch scratch, LookupIdentities files) {
    Optional<TlsFiles> tls = Optional.of(files.gateway()).filter(_ -> shape.tls());
    EchoProcess echo = EchoProcess.start(tls);
    LookupRig rig = null;
    try {
      var gateways =
          Gateways.start(
              shape.gateways(),
              bench.distribution(),
              scratch.path().resolve(shape.gateways() + "-" + shape.tls()),
              tls,
              // Longer than the measurement, for which the calls stay in the roll.
              List.of("call_seconds: 7200"),
              "");
      rig = new LookupRig(shape, bench.count(2_000, 500), files, gateways, echo);
      rig.tellCalls();
      return rig;
    } catch (RuntimeException e) {
      if (rig == null) {
        echo.close();
      } else {
        rig.close();
      }
      throw e;
    }
  }

  private void tellCalls() {
    node.connect();
    await(node::connects, "the node is not connected");
    for (int n = 1; n <= calls; n++) {
      int port = LoadOptions.FIRST_PORT + n - 1;
      tell(port, JOB);
      if (n % TOLD_AT_ONCE == 0 || n == calls) {
        await(() -> isOfJob(0, connection(port), JOB), "call " + port + " is not in the roll");
      }
    }
  }

  static Connection connection(int port) {
    return Connection.tcp(new Endpoint(SOURCE, port), DESTINATION);
  }

  /** Has the node tell a call of a job, as soon as its gateway keeps up. */
  void tell(int port, long job) {
    await(() -> node.call(connection(port), job, UID), "the gateway does not keep up");
  }

  void await(BooleanSupplier condition, String otherwise) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(WITHIN_SECONDS)) {
        throw new BenchFailedException(otherwise + ":\n" + gateways.endOfLogs());
      }
      LockSupport.parkNanos(100_000);
    }
  }

  /** Whether a gateway says that a call is this job's. */
  boolean isOfJob(int gateway, Connection call, long job) {
    return identify(gateway, call) instanceof CallerAnswer.Found(var caller)
        && caller.membership() instanceof dev.rollcall.model.Membership.InJob(var step)
        && step.job().number() == job;
  }

  private CallerAnswer identify(int gateway, Connection call) {
    var question = IdentifyRequest.newBuilder().setConnection(CallerMapper.toProto(call)).build();
    try {
      return CallerMapper.toModel(
          CallerIdServiceGrpc.newFutureStub(ways.get(gateway))
              .identify(question)
              .get(WITHIN_SECONDS, TimeUnit.SECONDS)
              .getAnswer(),
          "answer");
    } catch (ExecutionException | TimeoutException e) {
      throw new BenchFailedException("gateway " + gateway + " was asked in vain: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailedException("interrupted", e);
    }
  }

  LookupCase shape() {
    return shape;
  }

  /** The ports of those that are asked, one for each gateway. */
  List<Integer> ports() {
    return gateways.all().stream().map(one -> one.port()).toList();
  }

  int echoPort() {
    return echo.port();
  }

  long gatewaysCpuNanos() {
    return gateways.cpuNanos();
  }

  long echoCpuNanos() {
    return ProcessCost.cpuNanos(echo.process().pid());
  }

  long gatewaysCompilingNanos() {
    return gateways.compilingNanos();
  }

  long echoCompilingNanos() {
    return ProcessCost.compilingNanos(echo.process().pid());
  }

  LoadOptions options(LoadOptions.Kind kind, int port, int rate, int seconds) {
    return new LoadOptions(
        "127.0.0.1", port, rate, seconds, 0, 4, kind, SOURCE, calls, DESTINATION, asker, false);
  }

  @Override
  public void close() {
    node.stop();
    ways.forEach(GrpcChannel::close);
    gateways.close();
    echo.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private static final class Indifferent implements SimulatedNode.Listener {
    @Override
    public void connects(SimulatedNode who) {}

    @Override
    public void lost(SimulatedNode who, boolean connected, String why) {}
  }
}
