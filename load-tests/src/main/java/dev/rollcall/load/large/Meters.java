package dev.rollcall.load.large;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.gateway.GatewayProcess;
import dev.rollcall.load.gateway.Gateways;
import dev.rollcall.load.gateway.ProcessCost;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

/** Reads the CPU time and memory of the gateways. */
final class Meters {
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration SETTLED_WITHIN = Duration.ofMinutes(2);
  private static final int CALM_LOOKS = 5;
  private static final double CALM = 0.25;

  private final Gateways gateways;
  private double rest;

  /** A moment, and what had been used by then. */
  record Mark(long nanos, double cpuSeconds) {}

  Meters(Gateways gateways) {
    this.gateways = gateways;
  }

  /** Without what their compilers take: that is the machine's start, and not the work. */
  double cpuSeconds() {
    return (gateways.cpuNanos() - gateways.compilingNanos()) / 1e9;
  }

  /**
   * Before work whose CPU is to be told: what rest takes is looked at anew, since it becomes less
   * as the gateways' methods are compiled.
   */
  Mark calm(int seconds) {
    awaitCalm();
    atRest(seconds);
    return new Mark(System.nanoTime(), cpuSeconds());
  }

  /** CPU seconds since then, less what the time would have taken {@link #atRest at rest}. */
  double workSince(Mark mark) {
    double seconds = (System.nanoTime() - mark.nanos()) / 1e9;
    return Math.max(0, cpuSeconds() - mark.cpuSeconds() - rest * seconds);
  }

  double compilingSeconds() {
    return gateways.compilingNanos() / 1e9;
  }

  double heap() {
    return gateways.liveHeapBytes();
  }

  double largestHeap() {
    return largest(one -> ProcessCost.liveHeapBytes(one.pid()));
  }

  double largestResident() {
    return largest(one -> ProcessCost.residentBytes(one.pid()));
  }

  int largestDescriptors() {
    return (int) largest(one -> ProcessCost.descriptors(one.pid()));
  }

  private double largest(ToLongFunction<GatewayProcess> what) {
    return gateways.all().stream()
        .filter(GatewayProcess::isAlive)
        .mapToLong(what)
        .max()
        .orElseThrow(() -> new BenchFailedException("no gateway runs: " + gateways.endOfLogs()));
  }

  /** Returns when the gateways have used little more than at rest for half a second. */
  void awaitCalm() {
    long start = System.nanoTime();
    int calm = 0;
    long before = gateways.cpuNanos();
    while (calm < CALM_LOOKS && System.nanoTime() - start < SETTLED_WITHIN.toNanos()) {
      LockSupport.parkNanos(LOOK.toNanos());
      long now = gateways.cpuNanos();
      calm = now - before < (rest + CALM) * LOOK.toNanos() ? calm + 1 : 0;
      before = now;
    }
  }

  /** CPU seconds in so many seconds of doing nothing, for each second. */
  double atRest(int seconds) {
    double before = cpuSeconds();
    long start = System.nanoTime();
    while (System.nanoTime() - start < Duration.ofSeconds(seconds).toNanos()) {
      LockSupport.parkNanos(LOOK.toNanos());
    }
    rest = (cpuSeconds() - before) / ((System.nanoTime() - start) / 1e9);
    return rest;
  }
}
