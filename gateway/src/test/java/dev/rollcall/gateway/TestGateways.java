package dev.rollcall.gateway;

import dev.rollcall.model.Endpoint;
import dev.rollcall.port.GatewayMail;
import dev.rollcall.port.Roll;
import dev.rollcall.roll.Grid;
import dev.rollcall.roll.GridConfig;
import dev.rollcall.settings.HostPort;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.testkit.roll.InMemoryGateways;
import dev.rollcall.testkit.roll.InMemoryRoll;
import dev.rollcall.testkit.roll.SettableClock;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.tls.TlsFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Gateways of one cluster in this process, on a roll in memory or on real members of a grid. */
final class TestGateways implements AutoCloseable {
  static final Duration LEASE = GatewayConfig.DEFAULTS.lease();

  /** What carries roll and mail. */
  enum World {
    MEMORY,
    GRID
  }

  private record Started(GatewayWiring gateway, GrpcChannel channel) {}

  private final Vertx vertx = VertxSettings.start(VertxSettings.busy());
  private final List<Started> started = new ArrayList<>();
  private final List<Grid> grids = new ArrayList<>();
  private final Path logs;
  private final InMemoryGateways mails = new InMemoryGateways();
  private final Optional<Path> squeue;
  private final Optional<TlsFiles> tls;
  private final TrustConfig trust;
  private final boolean console;
  final SettableClock clock = new SettableClock();

  /** The roll of MEMORY. */
  final InMemoryRoll memory = new InMemoryRoll(clock);

  TestGateways(World world, int count) throws IOException {
    this(world, count, Optional.empty());
  }

  TestGateways(World world, int count, Optional<Path> squeue) throws IOException {
    this(world, count, squeue, Optional.empty(), GatewayConfig.DEFAULTS.trust());
  }

  TestGateways(
      World world, int count, Optional<Path> squeue, Optional<TlsFiles> tls, TrustConfig trust)
      throws IOException {
    this(world, count, squeue, tls, trust, true);
  }

  private TestGateways(
      World world,
      int count,
      Optional<Path> squeue,
      Optional<TlsFiles> tls,
      TrustConfig trust,
      boolean console)
      throws IOException {
    this.console = console;
    this.logs = Files.createTempDirectory("rollcall-gateway");
    this.squeue = squeue;
    this.tls = tls;
    this.trust = trust;
    for (int i = 0; i < count; i++) {
      String id = "gate" + i + ":7450";
      switch (world) {
        case MEMORY -> start(memory, mails.start(id));
        case GRID -> {
          Grid grid = grid(id);
          start(grid.roll(), grid.mail());
        }
      }
    }
  }

  /** One that serves the API alone. */
  static TestGateways withoutConsole() throws IOException {
    return new TestGateways(
        World.MEMORY, 1, Optional.empty(), Optional.empty(), GatewayConfig.DEFAULTS.trust(), false);
  }

  private Grid grid(String id) throws IOException {
    // Nobody listens on port 1: it has the first admit others from this host.
    List<String> members = new ArrayList<>(List.of("127.0.0.1:1"));
    for (Grid grid : grids) {
      members.add(grid.listening().toString());
    }
    Grid grid =
        Grid.start(
            new GridConfig(
                "gateway-test-" + ProcessHandle.current().pid(),
                id,
                Endpoint.parse("127.0.0.1:0"),
                members,
                false));
    grids.add(grid);
    return grid;
  }

  private void start(Roll roll, GatewayMail mail) {
    var defaults = GatewayConfig.DEFAULTS;
    var config =
        new GatewayConfig(
            defaults.cluster(),
            new HostPort("127.0.0.1", 0),
            HostPort.parse(mail.self()),
            List.of(),
            defaults.memberListen(),
            false,
            tls,
            new MetricsPlace.Port(new HostPort("127.0.0.1", 0)),
            LEASE,
            defaults.keepCalls(),
            squeue,
            defaults.squeueEvery(),
            audit(mail.self()),
            new GatewayConfig.Offered(
                console,
                true,
                Optional.of("https://grafana.alps.example/d/job?var-job={job}"),
                Optional.of("https://grafana.alps.example/d/node?var-instance={node}:7451")),
            trust);
    var gateway = new GatewayWiring(vertx, config, "0.1.0", roll, mail);
    ended(gateway.start());
    started.add(new Started(gateway, channel(gateway, tls)));
  }

  /** Where a gateway writes it. */
  Path audit(String self) {
    return logs.resolve(self.replace(':', '-') + "/audit.jsonl");
  }

  GatewayWiring gateway(int gateway) {
    return started.get(gateway).gateway();
  }

  /** The way of whoever has this identity. */
  GrpcChannel channel(int gateway, Optional<TlsFiles> identity) {
    return channel(gateway(gateway), identity);
  }

  private GrpcChannel channel(GatewayWiring gateway, Optional<TlsFiles> identity) {
    return GrpcChannel.tcp(
        vertx, "127.0.0.1", gateway.port(), identity.map(TlsFiles::identity), KeepAlive.CALM);
  }

  /** A way to a gateway; the node stream and questions may share it. */
  GrpcChannel channel(int gateway) {
    return started.get(gateway).channel();
  }

  GrpcChannel uncertified(int gateway, Path ca) {
    return GrpcChannel.tcpUncertified(
        vertx, "127.0.0.1", gateway(gateway).port(), ca, KeepAlive.CALM);
  }

  /** A connection of its own, which can be lost. */
  GrpcChannel freshChannel(int gateway) {
    return GrpcChannel.tcp(
        vertx,
        "127.0.0.1",
        started.get(gateway).gateway().port(),
        Optional.empty(),
        KeepAlive.CALM);
  }

  FakeAgent agent(int gateway, String node, String... addresses) {
    return new FakeAgent(channel(gateway), node, addresses);
  }

  /** Has the others no longer see a gateway, which continues. Of MEMORY. */
  void departs(int gateway) {
    mails.kill("gate" + gateway + ":7450");
  }

  void mergeGrid() {
    mails.merge();
  }

  private static void ended(Future<Void> future) {
    future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    started.forEach(one -> ended(one.channel().close()));
    started.forEach(one -> ended(one.gateway().stop()));
    ended(vertx.close());
    mails.close();
    grids.forEach(Grid::close);
    try (var files = Files.walk(logs)) {
      for (Path file : files.toList().reversed()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
