package dev.rollcall.load.login;

import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.testkit.cluster.ClusterException;
import dev.rollcall.testkit.cluster.NodeAddress;
import dev.rollcall.testkit.cluster.Running;
import dev.rollcall.testkit.cluster.User;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Logins of one user, from one place, to several targets by turns.
 *
 * @param from the job on node1 that the caller is in; empty on the login node
 * @param atOnce how many at a time
 * @param busyWithKeys from the connection to the question, as a client and sshd exchange keys
 */
record Calls(
    User user, OptionalLong from, int atOnce, Duration busyWithKeys, List<Target> targets) {
  /** Less than any key exchange takes, and more than an announcement does. */
  static final Duration KEYS = Duration.ofMillis(20);

  private static final Duration ENDS_WITHIN = Duration.ofMinutes(10);

  Calls {
    targets = List.copyOf(targets);
  }

  static Calls fromJob(User user, long job, Target... targets) {
    return new Calls(user, OptionalLong.of(job), 1, KEYS, List.of(targets));
  }

  static Calls fromLogin(User user, Target... targets) {
    return new Calls(user, OptionalLong.empty(), 1, KEYS, List.of(targets));
  }

  Calls atOnce(int logins) {
    return new Calls(user, from, logins, busyWithKeys, targets);
  }

  Calls busyWithKeys(Duration time) {
    return new Calls(user, from, atOnce, time, targets);
  }

  Calls to(Target... others) {
    return new Calls(user, from, atOnce, busyWithKeys, List.of(others));
  }

  /** So many rounds, each to every target. */
  void make(LoginCluster on, int rounds, Logins into) {
    List<NodeAddress> nodes = targets.stream().map(Target::node).distinct().toList();
    List<AgentTimes> before = nodes.stream().map(node -> AgentTimes.of(on.node(node))).toList();
    String[] argv = on.probe().call(user, rounds, atOnce, busyWithKeys, targets);
    try {
      Running calls =
          from.isPresent() ? on.fromJob(from.getAsLong(), user, argv) : on.fromLogin(user, argv);
      into.add(targets, calls.await(ENDS_WITHIN).outOrThrow("the login probe's calls"));
    } catch (ClusterException e) {
      throw new BenchFailedException(e.getMessage() + "; " + on.logs(), e);
    }
    for (int each = 0; each < nodes.size(); each++) {
      AgentTimes after = AgentTimes.of(on.node(nodes.get(each)));
      into.add(nodes.get(each), after.since(before.get(each)));
    }
  }
}
