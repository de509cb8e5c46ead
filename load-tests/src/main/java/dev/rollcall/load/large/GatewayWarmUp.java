package dev.rollcall.load.large;

import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.gateway.Gateways;
import dev.rollcall.wire.tls.TlsFiles;
import java.time.Duration;
import java.util.List;

/**
 * Nodes that connect, tell and go, in rounds, until the gateways' methods are compiled: on a
 * machine of two cores three gateways that compile would hide what a node costs. The nodes are
 * others than those that are measured.
 */
final class GatewayWarmUp {
  static final int NODES = 100;

  private static final int MOST_ROUNDS = 12;
  private static final int LEAST_ROUNDS = 4;

  /** A round that costs nearly as much as the one before says that the rest is the work. */
  private static final double SETTLED = 0.93;

  private static final int JOBS = 10;
  private static final int PROCESSES = 5_000;
  private static final int CALLS_A_SECOND = 1_000;
  private static final int CALLS = 3_000;
  private static final Duration SPREAD = Duration.ofSeconds(3);
  private static final Duration WITHIN = Duration.ofMinutes(2);

  private final Bench bench;
  private final Gateways gateways;
  private final Meters meters;

  GatewayWarmUp(Bench bench, Gateways gateways, Meters meters) {
    this.bench = bench;
    this.gateways = gateways;
    this.meters = meters;
  }

  /**
   * @param certificates of nodes from {@link Crowd#WARMING} on
   */
  void run(List<TlsFiles> certificates) {
    double before = Double.MAX_VALUE;
    for (int round = 1; round <= (bench.quick() ? 1 : MOST_ROUNDS); round++) {
      double cpu = meters.cpuSeconds();
      try (var crowd = Crowd.of(Crowd.WARMING, certificates, gateways, bench.random())) {
        crowd.connect(SPREAD);
        crowd.awaitConnected(crowd.size(), WITHIN);
        var work = new Work(crowd);
        work.wave(JOBS, PROCESSES);
        work.calls(CALLS_A_SECOND, CALLS);
        meters.awaitCalm();
      }
      double now = meters.cpuSeconds() - cpu;
      bench.progress().accept("warming up: %.1f s of CPU".formatted(now));
      if (round >= LEAST_ROUNDS && now > SETTLED * before) {
        return;
      }
      before = now;
    }
  }
}
