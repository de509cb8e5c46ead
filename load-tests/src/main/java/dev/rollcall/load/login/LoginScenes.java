package dev.rollcall.load.login;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.load.bench.Bench;
import dev.rollcall.load.bench.BenchCase;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.load.login.LoginRuns.Expected;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The cases of the account phase: who comes, from where, and what stands in the way. */
final class LoginScenes {
  static final LoginTarget OURS = LoginTarget.ours(LoginCluster.OWN);
  static final LoginTarget OURS_ON_SLURMS = LoginTarget.ours(LoginCluster.SLURMS);
  static final LoginTarget PEER = LoginTarget.peer(LoginCluster.SLURMS);
  static final LoginTarget[] ALL = {
    LoginTarget.floor(LoginCluster.OWN),
    OURS,
    LoginTarget.floor(LoginCluster.SLURMS),
    OURS_ON_SLURMS,
    PEER
  };
  static final String WITH_SLURMS_JOBS = ", Slurm's jobs";

  private static final Duration STANDS_WITHIN = Duration.ofMinutes(2);
  private static final int AT_ONCE = 10;
  static final int IN_A_ROW = 10;
  private static final int MOST_CROWDS = 20;

  private final Bench bench;
  private final LoginCluster cluster;
  private final List<BenchCase> cases = new ArrayList<>();

  LoginScenes(Bench bench, LoginCluster cluster) {
    this.bench = bench;
    this.cluster = cluster;
  }

  List<BenchCase> run() {
    long only = cluster.begin(User.CAROL);
    long older = cluster.begin(User.ALICE);
    long newer = cluster.begin(User.ALICE);
    bench.progress().accept("warming up");
    var warm = new LoginRuns(Expected.in(only));
    LoginSeries one = LoginSeries.fromJob(User.CAROL, only, ALL);
    LoginSeries several = LoginSeries.fromJob(User.ALICE, older, ALL);
    one.make(cluster, bench.count(200, 2), warm);
    several.make(cluster, bench.count(200, 2), warm);

    measure("no job, refused", LoginSeries.fromLogin(User.BOB, ALL), Expected.refused());
    measure("one job", one, Expected.in(only));
    measure("several jobs, caller found", several, Expected.in(older));
    measure(
        "several jobs, source refuses", LoginSeries.fromLogin(User.ALICE, ALL), Expected.in(newer));
    dropping(newer);
    inARow("no job, refused", LoginSeries.fromLogin(User.BOB, ALL), Expected.refused());
    inARow("one job", one, Expected.in(only));
    inARow("several jobs, caller found", several, Expected.in(older));
    inARow(
        "several jobs, source refuses", LoginSeries.fromLogin(User.ALICE, ALL), Expected.in(newer));
    crowded(several, older);
    measure("10 at once, caller found", several.atOnce(AT_ONCE), 20, Expected.in(older));
    var whole = new WholeLogins(bench, cluster).open();
    whole.measure("ssh NODE true, one job", User.CAROL, only).forEach(this::add);
    whole.measure("ssh NODE true, several jobs", User.ALICE, older).forEach(this::add);
    var cold = new ColdScenes(bench, cluster, User.CAROL, only);
    cold.withoutAgent().forEach(this::add);
    cold.afterStart().forEach(this::add);
    cold.afterRest().forEach(this::add); // takes a quarter of an hour
    return cases;
  }

  private void measure(String name, LoginSeries calls, Expected expected) {
    measure(name, calls, 200, expected);
  }

  private void measure(String name, LoginSeries calls, int rounds, Expected expected) {
    bench.progress().accept(name);
    var logins = new LoginRuns(expected);
    calls.make(cluster, bench.count(rounds, 3), logins);
    tell(name, logins);
  }

  /** Nothing rests between these, so the processor's caches are as the login before left them. */
  private void inARow(String name, LoginSeries calls, Expected expected) {
    measure(name + ", in a row", calls.inARow(IN_A_ROW), 10, expected);
  }

  private void tell(String name, LoginRuns logins) {
    add(logins.told(name, OURS));
    add(logins.told(name + WITH_SLURMS_JOBS, OURS_ON_SLURMS));
  }

  /** Told at once, too: what comes later may fail. */
  private void add(BenchCase one) {
    cases.add(one);
    bench.progress().accept("  " + one);
  }

  /** The peer waits two seconds for each: it gets few rounds, in between ours. */
  private void dropping(long newer) {
    String name = "several jobs, source drops packets";
    bench.progress().accept(name);
    var logins = new LoginRuns(Expected.in(newer));
    LoginSeries all = LoginSeries.fromLogin(User.ALICE, ALL);
    LoginSeries withoutPeer =
        all.to(Stream.of(ALL).filter(target -> !target.equals(PEER)).toArray(LoginTarget[]::new));
    try (var _ = cluster.node(NodeAddress.LOGIN).dropIncoming()) {
      for (int part = 0; part < bench.count(10, 1); part++) {
        withoutPeer.make(cluster, bench.count(19, 2), logins);
        all.make(cluster, 1, logins);
      }
    }
    tell(name, logins);
  }

  /** Other processes on the source, each with 11 descriptors, that were there before the caller. */
  private void crowded(LoginSeries several, long older) {
    for (int others : bench.quick() ? new int[] {0, 20} : new int[] {0, 1_000, 5_000}) {
      String name = "caller looked up, %d other processes".formatted(others);
      bench.progress().accept(name);
      if (others == 0) {
        lookUp(name, several, older, 100);
      } else {
        Running crowd = crowd(others);
        try {
          lookUp(name, several, older, 30);
        } finally {
          crowd.kill();
        }
      }
    }
  }

  /**
   * Slurm's look through /proc goes by pid and ends at the caller: the crowd has to come before it,
   * and the kernel's next pids must not begin at the bottom again.
   */
  private Running crowd(int others) {
    long last = 0;
    for (int attempt = 0; attempt < MOST_CROWDS; attempt++) {
      Running crowd =
          cluster.node(NodeAddress.NODE1).start(User.BOB, cluster.probe().crowd(others));
      crowd.awaitOutput("standing", STANDS_WITHIN);
      last = crowd.pid();
      if (last + 2L * others < pids()) {
        return crowd;
      }
      crowd.kill();
    }
    throw new BenchFailedException(
        "no %d processes found room below kernel.pid_max, %d: the last began at pid %d"
            .formatted(others, pids(), last));
  }

  /** By one read: of a number in /proc/sys a second one gets nothing, proc_dointvec(). */
  private static long pids() {
    try {
      return Long.parseLong(Files.readAllLines(Path.of("/proc/sys/kernel/pid_max")).getFirst());
    } catch (IOException e) {
      throw new BenchFailedException("cannot read kernel.pid_max: " + e.getMessage(), e);
    }
  }

  private void lookUp(String name, LoginSeries several, long older, int rounds) {
    LoginTarget asked = LoginTarget.oursAsked(LoginCluster.OWN);
    LoginTarget pushed = LoginTarget.ours(LoginCluster.OWN);
    var logins = new LoginRuns(Expected.in(older));
    several
        .to(LoginTarget.floor(LoginCluster.OWN), pushed, asked, PEER)
        .make(cluster, bench.count(rounds, 3), logins);
    long processes = processes();
    add(logins.told(name + ", pushed", pushed).withFact("processes", processes));
    add(logins.told(name + ", asked for", asked).withFact("processes", processes));
  }

  /** Of this machine: the nodes have no pid namespaces of their own, and slurmd looks at all. */
  private static long processes() {
    try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
      return entries.filter(entry -> entry.getFileName().toString().matches("[0-9]+")).count();
    } catch (IOException e) {
      throw new BenchFailedException("cannot read /proc: " + e.getMessage(), e);
    }
  }
}
