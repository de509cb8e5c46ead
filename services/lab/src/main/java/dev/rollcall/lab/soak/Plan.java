package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.ClusterShape;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.soak.Planned.Attack;
import dev.rollcall.lab.soak.Planned.JobRuns;
import dev.rollcall.lab.soak.Planned.Login;
import dev.rollcall.lab.soak.Planned.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * All that happens in a soak, in the order of time. A seed, a length and a shape determine it:
 * SplittableRandom's numbers are fixed by its documentation.
 */
record Plan(long seed, Duration length, List<Planned> all) {
  private static final List<User> USERS = List.of(User.ALICE, User.BOB, User.CAROL);
  private static final long JOB_EVERY_MS = 2_500;
  private static final long LOGIN_EVERY_MS = 1_000;
  private static final long TROUBLE_EVERY_MS = 4_000;

  /** From the end of an attack to the next: one at a time, since all share this machine. */
  private static final long ATTACK_AFTER_MS = 4_000;

  /** After a fault of a target is over, it is left alone for so long. */
  private static final long REST_MS = 15_000;

  /** No fault and no login begins so late: the end is to be quiet. */
  private static final long QUIET_MS = 8_000;

  Plan {
    all = List.copyOf(all);
  }

  static Plan of(long seed, Duration length, ClusterShape shape) {
    var random = new SplittableRandom(seed);
    var all = new ArrayList<Planned>();
    List<JobRuns> jobs = jobs(random.split(), length, shape);
    all.addAll(jobs);
    all.addAll(logins(random.split(), length, jobs));
    all.addAll(troubles(random.split(), length, shape));
    all.addAll(attacks(random.split(), length, shape));
    all.sort(Comparator.comparing(Planned::at));
    return new Plan(seed, length, all);
  }

  <T extends Planned> List<T> only(Class<T> kind) {
    return all.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static List<JobRuns> jobs(SplittableRandom random, Duration length, ClusterShape shape) {
    var jobs = new ArrayList<JobRuns>();
    List<NodeAddress> nodes = shape.compute();
    long at = 0;
    while (at < length.toMillis() - QUIET_MS) {
      int many = Math.min(nodes.size(), 2 + random.nextInt(2));
      List<NodeAddress> on =
          random.ints(0, nodes.size()).distinct().limit(many).mapToObj(nodes::get).toList();
      long ends = Math.min(at + 8_000 + random.nextLong(20_000), length.toMillis());
      jobs.add(
          new JobRuns(
              Duration.ofMillis(at),
              Duration.ofMillis(ends),
              1 + jobs.size(),
              one(random, USERS),
              on));
      at += gap(random, JOB_EVERY_MS);
    }
    return jobs;
  }

  /** Each from a job that is to be open, to one of its nodes; one of five from outside of it. */
  private static List<Login> logins(SplittableRandom random, Duration length, List<JobRuns> jobs) {
    var logins = new ArrayList<Login>();
    long at = 1_000;
    while (at < length.toMillis() - QUIET_MS) {
      Duration now = Duration.ofMillis(at);
      List<JobRuns> open =
          jobs.stream()
              .filter(job -> job.at().compareTo(now) <= 0 && job.ends().compareTo(now) > 0)
              .toList();
      if (!open.isEmpty()) {
        JobRuns job = one(random, open);
        boolean outside = random.nextInt(5) == 0;
        NodeAddress from = outside ? NodeAddress.LOGIN : one(random, job.nodes());
        logins.add(
            new Login(
                now,
                1 + logins.size(),
                job.owner(),
                outside ? Optional.empty() : Optional.of(job.job()),
                from,
                one(random, job.nodes()),
                Duration.ofMillis(random.nextLong(6_000))));
      }
      at += gap(random, LOGIN_EVERY_MS);
    }
    return logins;
  }

  private static List<Trouble> troubles(
      SplittableRandom random, Duration length, ClusterShape shape) {
    var troubles = new ArrayList<Trouble>();
    Map<NodeAddress, Long> rests = new HashMap<>();
    List<FaultKind> kinds =
        List.of(FaultKind.values()).stream()
            .filter(kind -> shape.gateways() > 1 || kind != FaultKind.GATEWAYS_SPLIT)
            .toList();
    long at = 3_000;
    while (at < length.toMillis() - QUIET_MS) {
      FaultKind kind = one(random, kinds);
      NodeAddress target = one(random, kind.isOfGateway() ? shape.gates() : shape.compute());
      long ends = Math.min(at + 1_000 + random.nextLong(9_000), length.toMillis() - QUIET_MS);
      if (rests.getOrDefault(target, 0L) <= at) {
        rests.put(target, ends + REST_MS);
        troubles.add(new Trouble(Duration.ofMillis(at), Duration.ofMillis(ends), kind, target));
      }
      at += gap(random, TROUBLE_EVERY_MS);
    }
    return troubles;
  }

  /** A user's and a node's by turns. */
  private static List<Attack> attacks(
      SplittableRandom random, Duration length, ClusterShape shape) {
    var attacks = new ArrayList<Attack>();
    // One may take some seconds more on a busy machine.
    long last = length.toMillis() - 2 * QUIET_MS;
    long at = 2_000;
    while (at < last) {
      boolean isOfNode = attacks.size() % 2 == 1;
      List<AttackKind> kinds =
          List.of(AttackKind.values()).stream()
              .filter(kind -> kind.isOfNode() == isOfNode)
              .toList();
      long ends = Math.min(at + 2_000 + random.nextLong(3_000), last);
      attacks.add(
          new Attack(
              Duration.ofMillis(at),
              Duration.ofMillis(ends),
              one(random, kinds),
              one(random, isOfNode ? shape.gates() : shape.withAgent())));
      at = ends + gap(random, ATTACK_AFTER_MS);
    }
    return attacks;
  }

  private static long gap(SplittableRandom random, long about) {
    return about / 2 + random.nextLong(about);
  }

  private static <T> T one(SplittableRandom random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
