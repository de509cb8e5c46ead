package dev.rollcall.load.login;

import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.login.LoginRuns.Expected;
import dev.rollcall.testkit.process.RigException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The first login after a rest, after the agent has started, and logins without an agent. */
final class ColdScenes {
  private static final Duration REST = Duration.ofMinutes(1);

  /** What a key exchange takes on this machine at least; an announcement uses it. */
  private static final Duration KEYS = Duration.ofMillis(100);

  private final Bench bench;
  private final LoginCluster cluster;
  private final LoginSeries calls;
  private final Expected expected;

  /**
   * @param only the user's only job
   */
  ColdScenes(Bench bench, LoginCluster cluster, User user, long only) {
    this.bench = bench;
    this.cluster = cluster;
    this.calls = LoginSeries.fromJob(user, only).busyWithKeys(KEYS);
    this.expected = Expected.in(only);
  }

  /**
   * Each login has a rest of its own, since a move makes the kernel ready for the next one. The
   * floor moves nobody, and is measured after the others.
   */
  List<BenchCase> afterRest() {
    Duration rest = bench.quick() ? Duration.ofMillis(200) : REST;
    var logins = new LoginRuns(expected);
    for (int part = 0; part < bench.count(5, 1); part++) {
      for (LoginTarget target :
          List.of(LoginScenes.OURS, LoginScenes.PEER, LoginScenes.OURS_ON_SLURMS)) {
        bench.progress().accept("at rest for " + rest.toSeconds() + " s");
        pause(rest);
        calls.to(target, LoginTarget.floor(target.node())).make(cluster, 1, logins);
      }
    }
    return both("one job, after a rest", logins).stream()
        .map(one -> one.withFact("rest_s", rest.toMillis() / 1e3))
        .toList();
  }

  /** Slurm's module asks no daemon of Slurm's that was started meanwhile: it is as ever. */
  List<BenchCase> afterStart() {
    var logins = new LoginRuns(expected);
    for (int part = 0; part < bench.count(5, 1); part++) {
      bench.progress().accept("agents start");
      for (LoginTarget target : List.of(LoginScenes.OURS, LoginScenes.OURS_ON_SLURMS)) {
        restart(cluster.cluster().agent(target.node()));
        beside(target, calls).make(cluster, 1, logins);
      }
    }
    return both("one job, right after the agent's start", logins);
  }

  /** The agent is killed, and started again afterwards. */
  List<BenchCase> withoutAgent() {
    var logins = new LoginRuns(expected);
    for (LoginTarget target : List.of(LoginScenes.OURS, LoginScenes.OURS_ON_SLURMS)) {
      bench.progress().accept("no agent on " + target.node().v4());
      Daemon agent = cluster.cluster().agent(target.node());
      agent.kill();
      try {
        beside(target, calls.inARow(LoginScenes.IN_A_ROW))
            .makeWithoutTimes(cluster, bench.count(10, 1), logins);
      } finally {
        agent.start();
        agent.awaitConnected();
      }
    }
    return both("one job, agent dead, in a row", logins);
  }

  private static LoginSeries beside(LoginTarget target, LoginSeries series) {
    return series.to(target, LoginTarget.floor(target.node()), LoginScenes.PEER);
  }

  private static void restart(Daemon agent) {
    try {
      agent.stop();
      agent.start();
      agent.awaitConnected();
    } catch (RigException e) {
      throw new BenchFailedException(agent + " does not start again: " + e.getMessage(), e);
    }
  }

  private static List<BenchCase> both(String name, LoginRuns logins) {
    return List.of(
        logins.told(name, LoginScenes.OURS),
        logins.told(name + LoginScenes.WITH_SLURMS_JOBS, LoginScenes.OURS_ON_SLURMS));
  }

  private static void pause(Duration time) {
    try {
      TimeUnit.MILLISECONDS.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailedException("interrupted", e);
    }
  }
}
