package dev.rollcall.load.move;

import dev.rollcall.linux.cgroup.CgroupMount;
import dev.rollcall.linux.cgroup.CgroupMounts;
import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.load.bench.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A move back to back, after rests, and after rests with the kernel prepared as the agent prepares
 * it when a call was announced, in each hierarchy of this machine. The kernel's part of a login is
 * the same for every module that adopts, so there is no peer.
 */
public final class MoveBenchmark implements Benchmark {
  private static final Path PROC = Path.of("/proc");
  private static final int WARM_UP = 2_000;
  private static final int PREPARED_MS = 50;
  private static final int BETWEEN_MS = 4;
  private static final double MICRO = 1_000.0;

  @Override
  public String name() {
    return "move";
  }

  @Override
  public String about() {
    return "the kernel's move of a process into a cgroup: back to back, after a rest, prepared";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    var cases = new ArrayList<BenchCase>();
    hierarchies()
        .forEach((name, mount) -> {
          bench.progress().accept(name + " at " + mount.point());
          cases.addAll(measured(bench, name, mount));
        });
    return cases;
  }

  private static Map<String, CgroupMount> hierarchies() {
    var found = new TreeMap<String, CgroupMount>();
    try {
      CgroupMounts mounts = CgroupMounts.read(PROC);
      mounts.v2().ifPresent(mount -> found.put("v2", mount));
      mounts.v1("freezer").ifPresent(mount -> found.put("v1 freezer", mount));
      mounts.v1("memory").ifPresent(mount -> found.put("v1 memory", mount));
    } catch (IOException e) {
      throw new BenchFailedException("cannot read this machine's mounts: " + e.getMessage(), e);
    }
    if (found.isEmpty()) {
      throw new BenchFailedException("no cgroup hierarchy is mounted on this machine");
    }
    return found;
  }

  private static List<BenchCase> measured(Bench bench, String name, CgroupMount mount) {
    try (var cgroups = new TwoCgroups(mount.point())) {
      for (int each = 0; each < bench.count(WARM_UP, 10); each++) {
        cgroups.move();
        cgroups.prepare();
      }
      Figure floor = moves(cgroups, bench.count(1_000, 10), 0, false);
      var cases = new ArrayList<BenchCase>();
      cases.add(BenchCase.of(name + ", back to back", "us", floor));
      long rest = bench.count(2_000, 10);
      int times = bench.count(10, 2);
      cases.add(rested(name + ", after a rest", cgroups, times, rest, false, floor));
      cases.add(rested(name + ", after a rest, prepared", cgroups, times, rest, true, floor));
      return cases;
    } catch (IOException e) {
      throw new BenchFailedException(
          "cannot move a process in " + mount.point() + " (as root?): " + e.getMessage(), e);
    }
  }

  private static BenchCase rested(
      String name, TwoCgroups cgroups, int times, long rest, boolean prepared, Figure floor)
      throws IOException {
    return BenchCase.of(name, "us", moves(cgroups, times, rest, prepared))
        .withFloor(floor)
        .withFact("rest_ms", rest);
  }

  private static Figure moves(TwoCgroups cgroups, int times, long rest, boolean prepared)
      throws IOException {
    double[] took = new double[times];
    for (int each = 0; each < times; each++) {
      pause(rest);
      for (int at = 0; prepared && at < PREPARED_MS; at += BETWEEN_MS) {
        cgroups.prepare();
        pause(BETWEEN_MS);
      }
      took[each] = cgroups.move() / MICRO;
    }
    return Figure.ofSamples(took);
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailedException("interrupted", e);
    }
  }
}
