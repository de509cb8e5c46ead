package dev.rollcall.load.login;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Logins of one user, from one place, to several targets by turns.
 *
 * @param from the job on node1 that the caller is in; empty on the login node
 * @param connections how many are opened together
 * @param order in which these ask
 * @param busyWithKeys from the connection to the question, as a client and sshd exchange keys
 */
record LoginSeries(
    User user,
    OptionalLong from,
    int connections,
    Order order,
    Duration busyWithKeys,
    List<LoginTarget> targets) {
  /** How logins whose connections were opened together follow each other. */
  enum Order {
    AT_ONCE("at-once"),
    /** Each begins when the one before has ended: nothing rests. */
    IN_A_ROW("in-a-row");

    private final String word;

    Order(String word) {
      this.word = word;
    }

    /** As the probe is told. */
    String word() {
      return word;
    }
  }

  /** Less than any key exchange takes, and more than an announcement does. */
  static final Duration KEYS = Duration.ofMillis(20);

  private static final Duration ENDS_WITHIN = Duration.ofMinutes(10);

  /** An agent counts its sessions in a lull, or after a quarter of a second. */
  private static final Duration COUNTED_WITHIN = Duration.ofMillis(500);

  LoginSeries {
    targets = List.copyOf(targets);
  }

  static LoginSeries fromJob(User user, long job, LoginTarget... targets) {
    return new LoginSeries(user, OptionalLong.of(job), 1, Order.AT_ONCE, KEYS, List.of(targets));
  }

  static LoginSeries fromLogin(User user, LoginTarget... targets) {
    return new LoginSeries(user, OptionalLong.empty(), 1, Order.AT_ONCE, KEYS, List.of(targets));
  }

  LoginSeries atOnce(int logins) {
    return new LoginSeries(user, from, logins, Order.AT_ONCE, busyWithKeys, targets);
  }

  LoginSeries inARow(int logins) {
    return new LoginSeries(user, from, logins, Order.IN_A_ROW, busyWithKeys, targets);
  }

  LoginSeries busyWithKeys(Duration time) {
    return new LoginSeries(user, from, connections, order, time, targets);
  }

  LoginSeries to(LoginTarget... others) {
    return new LoginSeries(user, from, connections, order, busyWithKeys, List.of(others));
  }

  /** So many rounds, each to every target. */
  void make(LoginCluster on, int rounds, LoginRuns into) {
    List<NodeAddress> nodes = targets.stream().map(LoginTarget::node).distinct().toList();
    List<AgentTimes> before = nodes.stream().map(node -> AgentTimes.of(on.node(node))).toList();
    makeWithoutTimes(on, rounds, into);
    LockSupport.parkNanos(COUNTED_WITHIN.toNanos());
    for (int each = 0; each < nodes.size(); each++) {
      AgentTimes after = AgentTimes.of(on.node(nodes.get(each)));
      into.add(nodes.get(each), after.since(before.get(each)));
    }
  }

  /** The same without the times that agents measure: a dead one tells none. */
  void makeWithoutTimes(LoginCluster on, int rounds, LoginRuns into) {
    String[] argv = on.probe().call(this, rounds);
    try {
      Running calls =
          from.isPresent() ? on.fromJob(from.getAsLong(), user, argv) : on.fromLogin(user, argv);
      into.add(targets, calls.await(ENDS_WITHIN).outOrThrow("the login probe's calls"));
    } catch (RigException e) {
      throw new BenchFailedException(e.getMessage() + "; " + on.logs(), e);
    }
  }
}
