package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.demo.AgentLines;
import dev.rollcall.lab.soak.Planned.Attack;
import dev.rollcall.lab.soak.Planned.JobRuns;
import dev.rollcall.lab.soak.Planned.Login;
import dev.rollcall.lab.soak.Planned.Trouble;
import dev.rollcall.testkit.process.RigException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** A plan, carried out on a cluster that is up, and what must hold, looked at throughout. */
final class Soak {
  /** The roll is to agree with the nodes so soon after the last fault. */
  static final Duration AGREES_WITHIN = Duration.ofSeconds(5);

  private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);
  private static final Duration SETTLES_WITHIN = Duration.ofSeconds(30);

  private final TestCluster cluster;
  private final Plan plan;
  private final Consumer<String> says;
  private final Clockwork clock = new Clockwork();
  private final JobBook book = new JobBook();
  private final SoakTally tally = new SoakTally();
  private final Troubles troubles;
  private final JobWork jobs;
  private final LoginWork logins;
  private final Hostility hostility;
  private final Inventory inventory;
  private final RollView roll;
  private long agreedMillis = -1;

  /**
   * @param says what happens, line by line
   */
  Soak(
      TestCluster cluster, AgentLines agents, Plan plan, Duration deadline, Consumer<String> says) {
    this.cluster = cluster;
    this.plan = plan;
    this.says = says;
    this.troubles = new Troubles(cluster, book, clock);
    this.jobs = new JobWork(cluster, agents, book, clock, tally);
    this.logins =
        new LoginWork(
            cluster,
            agents,
            book,
            troubles,
            clock,
            tally,
            new Judgement(book, deadline.toMillis()));
    this.hostility = new Hostility(cluster, clock, tally);
    this.inventory = new Inventory(cluster);
    this.roll = new RollView(cluster, agents);
  }

  /** Runs to the end, and returns what was counted and violated. */
  SoakTally run() {
    List<Holdings> before = inventory.holdings();
    try (hostility;
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> looking = threads.submit(this::look);
      List<Future<?>> faults = new ArrayList<>();
      faults.addAll(started(threads, Trouble.class, this::trouble));
      faults.addAll(started(threads, Attack.class, this::attack));
      List<Future<?>> work = new ArrayList<>();
      work.addAll(started(threads, JobRuns.class, jobs::run));
      work.addAll(started(threads, Login.class, logins::run));
      await(faults);
      agree();
      await(work);
      looking.cancel(true);
    }
    settle(before);
    return tally;
  }

  /** From the last fault's end until the roll agreed with the nodes; -1 if it did not. */
  long agreedMillis() {
    return agreedMillis;
  }

  private <T extends Planned> List<Future<?>> started(
      ExecutorService threads, Class<T> kind, Consumer<T> run) {
    return plan.only(kind).stream()
        .<Future<?>>map(one ->
            threads.submit(() -> {
              clock.await(one.at());
              run.accept(one);
            }))
        .toList();
  }

  private void trouble(Trouble trouble) {
    tally.count("faults");
    says.accept("%6d ms  %s".formatted(clock.millis(), trouble));
    try {
      troubles.run(trouble);
    } catch (RigException e) {
      violated(
          new Violation(
              "returns", clock.millis(), trouble.toString(), "gone when undone", e.toString()));
    }
  }

  private void attack(Attack attack) {
    says.accept("%6d ms  %s".formatted(clock.millis(), attack));
    hostility.run(attack);
  }

  private void await(List<Future<?>> all) {
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RigException("interrupted", e);
      } catch (ExecutionException e) {
        violated(
            new Violation(
                "soak", clock.millis(), "the soak itself", "no failure", "" + e.getCause()));
      }
    }
  }

  /**
   * Until it is interrupted: every process is in its job, and none outlives it; and those of
   * Rollcall's end by the plan alone.
   */
  private void look() {
    Map<NodeAddress, Life> lives = inventory.lives();
    long looked = 0;
    while (!Thread.currentThread().isInterrupted()) {
      long now = clock.millis();
      lives = lives(lives, looked);
      looked = now;
      for (Marked process : inventory.marked()) {
        process.violation(book, now).ifPresent(this::violated);
      }
      clock.await(Duration.ofMillis(clock.millis()).plus(LOOKS_EVERY));
    }
  }

  private Map<NodeAddress, Life> lives(Map<NodeAddress, Life> before, long from) {
    Map<NodeAddress, Life> lives = inventory.lives();
    long now = clock.millis();
    lives.forEach((node, life) ->
        life.violation(before.getOrDefault(node, life), troubles.endedProcess(node, from, now), now)
            .ifPresent(this::violated));
    return lives;
  }

  private void agree() {
    long from = clock.millis();
    String differences = roll.differences();
    while (!differences.isEmpty() && clock.millis() - from < AGREES_WITHIN.toMillis()) {
      differences = roll.differences();
    }
    if (differences.isEmpty()) {
      agreedMillis = clock.millis() - from;
    } else {
      violated(
          new Violation(
              "roll",
              clock.millis(),
              "the roll",
              "as the nodes within " + AGREES_WITHIN.toMillis() + " ms",
              differences));
    }
  }

  /** When all jobs are over, what there was before is there, and nothing besides. */
  private void settle(List<Holdings> before) {
    long from = clock.millis();
    List<Violation> leaks = leaks(before);
    while (!leaks.isEmpty() && clock.millis() - from < SETTLES_WITHIN.toMillis()) {
      clock.await(Duration.ofMillis(clock.millis() + 200));
      leaks = leaks(before);
    }
    leaks.forEach(this::violated);
  }

  private List<Violation> leaks(List<Holdings> before) {
    var leaks = new ArrayList<Violation>();
    List<Holdings> now = inventory.holdings();
    for (int i = 0; i < now.size(); i++) {
      leaks.addAll(now.get(i).leaks(before.get(i), clock.millis()));
    }
    return leaks;
  }

  private void violated(Violation violation) {
    Violation whole = violation.during(troubles.now());
    if (tally.violated(whole)) {
      says.accept("VIOLATED " + whole);
    }
  }

  long millis() {
    return clock.millis();
  }

  String cluster() {
    return cluster.id();
  }
}
