package dev.rollcall.load.large;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.gateway.ClusterCertificates;
import dev.rollcall.load.gateway.Gateways;
import dev.rollcall.load.gateway.SimulatedNode;
import dev.rollcall.model.NodeName;
import dev.rollcall.wire.grpc.GrpcChannel;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.VertxSettings;
import dev.rollcall.wire.tls.TlsFiles;
import dev.rollcall.wire.tls.TlsIdentity;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Nodes that connect to the gateways, each with a certificate and connections of its own. */
final class Crowd implements SimulatedNode.Listener, AutoCloseable {
  /** Says of every connection that it gave up; kept, since the log manager forgets levels. */
  private static final Logger VERTX = Logger.getLogger("io.vertx");

  /** From this number on nodes are for warming up alone. */
  static final int WARMING = 100_000;

  private static final long LOOK_AGAIN_NANOS = 2_000_000;

  private final Vertx vertx = VertxSettings.start(VertxSettings.busy());
  private final List<Context> loops = loops(vertx);
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final AtomicInteger connected = new AtomicInteger();
  private final Map<String, AtomicInteger> reasons = new ConcurrentHashMap<>();

  private Crowd() {}

  /** One of each event loop; a connection that is opened in it stays with its loop. */
  private static List<Context> loops(Vertx vertx) {
    int count = Runtime.getRuntime().availableProcessors();
    var loops = new CopyOnWriteArrayList<Context>();
    vertx
        .deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    loops.add(context);
                    return Future.succeededFuture();
                  }
                },
            new DeploymentOptions().setInstances(count))
        .toCompletionStage()
        .toCompletableFuture()
        .join();
    return List.copyOf(loops);
  }

  /**
   * Nodes with these certificates, which do not connect yet.
   *
   * @param first the number of the first of them
   */
  static Crowd of(int first, List<TlsFiles> certificates, Gateways gateways, Random random) {
    VERTX.setLevel(Level.SEVERE);
    var crowd = new Crowd();
    for (int i = 0; i < certificates.size(); i++) {
      TlsIdentity own = certificates.get(i).identity(ClusterCertificates.CLUSTER);
      List<Supplier<GrpcChannel>> ways = new ArrayList<>();
      gateways
          .all()
          .forEach(one ->
              ways.add(() ->
                  GrpcChannel.tcp(
                      crowd.vertx, "127.0.0.1", one.port(), Optional.of(own), KeepAlive.CALM)));
      crowd.nodes.add(
          new SimulatedNode(
              crowd.vertx,
              new NodeName(name(first + i)),
              InetAddress.ofLiteral(address(first + i)),
              ways,
              crowd,
              new Random(random.nextLong())));
    }
    return crowd;
  }

  static String name(int number) {
    return "n" + number;
  }

  /** Of 10.64.0.0/10. */
  static String address(int number) {
    return "10.%d.%d.%d".formatted(64 + (number >> 16), number >> 8 & 0xff, number & 0xff);
  }

  List<SimulatedNode> nodes() {
    return nodes;
  }

  SimulatedNode node(long number) {
    return nodes.get((int) Math.floorMod(number, (long) nodes.size()));
  }

  int size() {
    return nodes.size();
  }

  int connected() {
    return connected.get();
  }

  /** Why streams ended, and how often, since this was last asked. */
  Map<String, Integer> reasons() {
    var told = new TreeMap<String, Integer>();
    reasons.forEach((why, times) -> told.put(why, times.get()));
    reasons.clear();
    return told;
  }

  /** Has all connect, spread evenly. */
  void connect(Duration spread) {
    long start = System.nanoTime();
    for (int i = 0; i < nodes.size(); i++) {
      long due = start + spread.toNanos() * i / nodes.size();
      while (System.nanoTime() - due < 0) {
        LockSupport.parkNanos(Math.min(LOOK_AGAIN_NANOS, due - System.nanoTime()));
      }
      SimulatedNode node = nodes.get(i);
      loops.get(i % loops.size()).runOnContext(_ -> node.connect());
    }
  }

  /** Seconds until so many are connected, from now. */
  double awaitConnected(int many, Duration within) {
    long start = System.nanoTime();
    while (connected.get() < many) {
      if (System.nanoTime() - start > within.toNanos()) {
        throw new BenchFailedException(
            "%d of %d nodes connect after %d s: %s"
                .formatted(connected.get(), many, within.toSeconds(), reasons()));
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** Returns when no more than so many are connected. */
  void awaitAtMost(int many, Duration within) {
    long start = System.nanoTime();
    while (connected.get() > many) {
      if (System.nanoTime() - start > within.toNanos()) {
        throw new BenchFailedException(
            "%d nodes are still connected after %d s"
                .formatted(connected.get(), within.toSeconds()));
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  @Override
  public void connects(SimulatedNode node) {
    connected.incrementAndGet();
  }

  @Override
  public void lost(SimulatedNode node, boolean wasConnected, String why) {
    if (wasConnected) {
      connected.decrementAndGet();
    }
    // Ports and numbers would make every reason another.
    reasons
        .computeIfAbsent(why.replaceAll("[0-9]+", "N"), _ -> new AtomicInteger())
        .incrementAndGet();
  }

  @Override
  public void close() {
    nodes.forEach(SimulatedNode::stop);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
