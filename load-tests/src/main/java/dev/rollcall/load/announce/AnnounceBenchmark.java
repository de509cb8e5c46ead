package dev.rollcall.load.announce;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.bench.Benchmark;
import dev.rollcall.load.bench.Figure;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** From connect() to those who can answer, and what it costs the caller. */
public final class AnnounceBenchmark implements Benchmark {
  private static final double MILLI = 1e6;
  private static final double MICRO = 1e3;
  private static final int PAUSE_MICROS = 20_000;
  private static final int OTHERS_PAUSE_MICROS = 2_000;

  @Override
  public String name() {
    return "announce";
  }

  @Override
  public String about() {
    return "from connect() to whoever can answer, and what connect() costs with us and without";
  }

  @Override
  public List<BenchCase> run(Bench bench) {
    try (var rig = new AnnounceRig(bench)) {
      var cases = new ArrayList<BenchCase>();
      bench.progress().accept("connect()");
      cases.add(connect(rig, bench, "connect(), a tracked port", AnnounceRig.ANNOUNCED));
      cases.add(connect(rig, bench, "connect(), another port", AnnounceRig.OTHER));
      bench.progress().accept("announcements, idle");
      cases.addAll(announced(rig, bench, "idle"));
      bench.progress().accept("announcements, under load");
      Running others = rig.others(1_000_000, OTHERS_PAUSE_MICROS);
      try {
        cases.addAll(announced(rig, bench, "under load"));
      } finally {
        others.kill();
      }
      return cases;
    } catch (RigException e) {
      throw new BenchFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  /** By turns, calls that the kernel's program sees and calls that it does not. */
  private static BenchCase connect(AnnounceRig rig, Bench bench, String name, int port) {
    int count = bench.count(500, 50);
    var with = new ArrayList<Prober.Call>();
    var without = new ArrayList<Prober.Call>();
    for (int round = 0; round < bench.count(10, 2); round++) {
      without.addAll(rig.unseen(User.ALICE, port, count, 200));
      with.addAll(rig.seen(User.ALICE, port, count, 200));
    }
    Figure ours = took(with);
    Figure floor = took(without);
    return BenchCase.of(name, "us", ours)
        .withFloor(floor)
        .withFact("added_us", ours.value() - floor.value());
  }

  private static Figure took(List<Prober.Call> calls) {
    return Figure.ofSamples(calls.stream().mapToDouble(c -> c.tookNanos() / MICRO).toArray());
  }

  private static List<BenchCase> announced(AnnounceRig rig, Bench bench, String how) {
    int before = rig.witnessed().size();
    int count = bench.count(500, 20);
    List<Prober.Call> calls = rig.seen(User.CAROL, AnnounceRig.ANNOUNCED, count, PAUSE_MICROS);
    var heard = new HashMap<String, Map<Integer, Long>>();
    boolean all =
        Eventually.holds(
            AnnounceRig.WITHIN.dividedBy(8),
            () -> {
              hear(rig, before, calls, heard);
              return heard.getOrDefault("roll", Map.of()).size() == calls.size()
                  && heard.getOrDefault("node", Map.of()).size() == calls.size();
            });
    var cases = new ArrayList<BenchCase>();
    cases.add(later("node B can answer, " + how, "node", calls, heard));
    cases.add(later("the gateway knows, " + how, "gateway", calls, heard));
    cases.add(later("the roll has answered, " + how, "roll", calls, heard));
    if (!all) {
      bench.progress().accept("not every call was told: see 'missing'");
    }
    return cases;
  }

  private static void hear(
      AnnounceRig rig, int before, List<Prober.Call> calls, Map<String, Map<Integer, Long>> heard) {
    var began = new HashMap<Integer, Long>();
    calls.forEach(call -> began.put(call.port(), call.beganNanos()));
    rig.witnessed().stream()
        .skip(before)
        .map(line -> line.split(" ", -1))
        .filter(words -> words.length == 3)
        .forEach(words -> {
          int port = Integer.parseInt(words[1]);
          long at = Long.parseLong(words[2]);
          // Others call meanwhile, and may have had the port before.
          Optional.ofNullable(began.get(port))
              .filter(since -> at >= since)
              .ifPresent(_ ->
                  heard.computeIfAbsent(words[0], _ -> new HashMap<>()).merge(port, at, Math::min));
        });
  }

  private static BenchCase later(
      String name, String what, List<Prober.Call> calls, Map<String, Map<Integer, Long>> heard) {
    Map<Integer, Long> at = heard.getOrDefault(what, Map.of());
    double[] took =
        calls.stream()
            .flatMapToDouble(call ->
                Optional.ofNullable(at.get(call.port())).stream()
                    .mapToDouble(told -> (told - call.beganNanos()) / MILLI))
            .toArray();
    if (took.length == 0) {
      throw new BenchFailedException(name + ": no call was told");
    }
    return BenchCase.of(name, "ms", Figure.ofSamples(took))
        .withFact("missing", calls.size() - took.length);
  }
}
